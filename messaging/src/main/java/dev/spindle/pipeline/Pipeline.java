// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Spindle;
import dev.spindle.internal.Durations;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WaitSource;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.HandedContext;
import dev.spindle.messaging.Headroom;
import dev.spindle.messaging.OwnTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An assembly line: events in a ring of slots made beforehand, handled by one stage after the other. A stage is a
 * {@link dev.spindle.Strand strand} of a spindle and not a thread, so there may be more stages than threads, and a
 * stage without work costs nothing.
 *
 * <pre>{@code
 * Pipeline<Order> orders = Pipeline.builder(spindle, Order::new, 8192)
 *         .stage("journal", journal::append)
 *         .stage("replicate", replica::send).afterPublish()
 *         .stage("apply", book::apply).after("journal", "replicate")
 *         .start();
 * orders.publish(order -> order.set(account, amount));
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread, if the builder was not told otherwise.
 *
 * <p><b>Order.</b> Each stage handles every event once, in the sequence in which they were published, never two at a
 * time; a parallel stage handles several at a time. Events of one thread are published in the order of its calls. A
 * stage handles an event after the stages that it comes after: by default the one declared before it. Slots are used
 * again when all stages are through.
 *
 * <p><b>Back-pressure.</b> When the ring is full, {@link #publish} waits, {@link #offer} returns false and {@link
 * #publishAsync} returns a future. Those that wait are served in their order, and while any does, nobody gets past it.
 *
 * <p><b>Failure.</b> A filler that throws makes its event void, which no stage sees. What a handler throws is for the
 * stage's {@link OnError}. A pipeline that is halted releases all publishers with the cause.
 *
 * <p><b>Callbacks.</b> Handlers run on the strand of their stage: one that blocks holds up its stage and, in the end,
 * those before and after it. Fillers run as {@link #publish} and {@link #publishAsync} say. What depends on a stage
 * that was not complete when it was returned, and the drop handler, run in plain tasks on the spindle, and may block
 * there, throw, or call back in; when the spindle has terminated or has no thread for them, in the thread that
 * completes the stage.
 *
 * <p><b>Memory consistency effects.</b> What a thread did before it published an event happens-before any stage handles
 * it; what a stage did with an event happens-before a stage after it handles it; what all did with it happens-before
 * the filler of the event that has the slot next.
 *
 * <p><b>Closing.</b> {@link #drain} takes no more and completes when all is handled, {@link #halt} stops at once. After
 * {@code shutdown} of the spindle the stages handle all events that were published, and what handlers and other
 * accepted work of the spindle still publish; other publishers are refused, also those that wait. {@code shutdownNow}
 * halts: the events that are left go to {@link PipelineBuilder#onDrop} before the spindle terminates.
 */
public final class Pipeline<E> implements AutoCloseable {
    private final String name;
    private final boolean single;
    private final Ring<E> ring;
    private final PublisherGate<E> gate;
    private final List<Stage<E>> stages;
    private final Stage<?>[] firsts;
    private final List<Stage<E>> lasts;
    private final @Nullable BiConsumer<? super E, ? super List<String>> dropHandler;
    private final Callbacks callbacks;
    private final WaitSource waits = this::listWaits; // the spindle refers to it weakly
    private final Lifetime.Part shutdown = this::shut; // as `waits`
    private boolean publishing; // racy: tells two publishers that promised to be one, where it sees them
    private @Nullable Thread publisher; // the one that promised to be the only one, and is no worker

    /** Makes the stages when the rest is there. */
    interface Stages<E> {
        Map<String, Stage<E>> make(PublisherGate<E> gate, Stage.Halt halt);
    }

    Pipeline(
            String name,
            boolean single,
            Ring<E> ring,
            StageGraph graph,
            @Nullable BiConsumer<? super E, ? super List<String>> dropHandler,
            Callbacks callbacks,
            Stages<E> make) {
        this.name = name;
        this.single = single;
        this.ring = ring;
        this.dropHandler = dropHandler;
        this.callbacks = callbacks;
        gate = new PublisherGate<>(name, ring, this::fill, callbacks);
        Map<String, Stage<E>> made = make.make(gate, this::halt);
        made.forEach((stage, built) -> built.connect(
                named(made, graph.stagesBefore(stage)),
                named(made, graph.stagesAfter(stage)),
                named(made, graph.ancestors(stage))));
        stages = List.copyOf(made.values());
        firsts = named(made, graph.inOrder()).stream()
                .filter(stage -> graph.stagesBefore(stage.name()).isEmpty())
                .toArray(Stage<?>[]::new);
        lasts = named(made, graph.inOrder()).stream()
                .filter(stage -> graph.stagesAfter(stage.name()).isEmpty())
                .toList();
        ring.gateBy(lasts.stream().map(stage -> stage.done).toList());
        callbacks.register(waits);
        Runnable leave = callbacks.listen(shutdown);
        CompletableFuture<?> unused = gate.end().whenComplete((nothing, failure) -> leave.run());
    }

    private static <E> List<Stage<E>> named(Map<String, Stage<E>> made, Collection<String> names) {
        List<Stage<E>> found = new ArrayList<>();
        names.forEach(stage -> found.add(Objects.requireNonNull(made.get(stage))));
        return List.copyOf(found);
    }

    /**
     * Returns a builder.
     *
     * @param events makes the events, one for each slot, when the pipeline is started
     * @param size how many events may be between the publishers and the last stages; a power of two
     * @throws IllegalArgumentException if {@code size} is no power of two
     */
    public static <E> PipelineBuilder<E> builder(Spindle spindle, Supplier<? extends E> events, int size) {
        Objects.requireNonNull(spindle, "spindle");
        return new PipelineBuilder<>(spindle::strand, events, size, new Callbacks(spindle));
    }

    // ---------------------------------------------------------------- publish

    /**
     * Publishes an event that {@code filler} sets; waits while the ring is full. The filler runs on the calling thread.
     * It must not publish to the same pipeline, and should be short: as long as it runs, no event behind it goes on.
     *
     * <p>A {@link StackOverflowError} of our own is thrown before a slot is taken; one that the filler throws makes its
     * event void, like anything else.
     *
     * @throws InterruptedException if interrupted before it got a slot
     * @throws IllegalStateException if called by a worker of a spindle, which must not wait: use {@link #offer} or
     *     {@link #publishAsync} there
     * @throws PipelineClosedException if the pipeline was drained or halted
     */
    public void publish(Consumer<? super E> filler) throws InterruptedException {
        Objects.requireNonNull(filler, "filler");
        fill(claim(), filler);
    }

    /**
     * As {@link #publish(Consumer)}, for a filler that gets what it needs handed in, and so need not be made anew each
     * time.
     */
    public <A extends @Nullable Object> void publish(BiConsumer<? super E, ? super A> filler, A argument)
            throws InterruptedException {
        Objects.requireNonNull(filler, "filler");
        fill(claim(), filler, argument);
    }

    /**
     * Publishes an event if there is a slot for it and nobody waits for one.
     *
     * @return whether it was published
     * @throws PipelineClosedException if the pipeline was drained or halted
     */
    public boolean offer(Consumer<? super E> filler) {
        Objects.requireNonNull(filler, "filler");
        long sequence = tryClaim(1);
        if (sequence == Ring.FULL) {
            return false;
        }
        fill(sequence, filler);
        return true;
    }

    /** As {@link #offer(Consumer)}, for a filler that gets what it needs handed in. */
    public <A extends @Nullable Object> boolean offer(BiConsumer<? super E, ? super A> filler, A argument) {
        Objects.requireNonNull(filler, "filler");
        long sequence = tryClaim(1);
        if (sequence == Ring.FULL) {
            return false;
        }
        fill(sequence, filler, argument);
        return true;
    }

    /**
     * As {@link #publish(Consumer)}, but waits for {@code limit} at most.
     *
     * @return whether it was published
     */
    public boolean offer(Consumer<? super E> filler, Duration limit) throws InterruptedException {
        Objects.requireNonNull(filler, "filler");
        long sequence = claim(1, Durations.toNanos(Objects.requireNonNull(limit, "limit")));
        if (sequence == Ring.FULL) {
            return false;
        }
        fill(sequence, filler);
        return true;
    }

    /**
     * Publishes an event for each of {@code arguments}, in their order and with no other event between them; waits
     * until the ring has a slot for each. What telling the stages costs is paid once, so this is the fastest way to
     * publish what comes in batches. The stages see none of the events before all are filled.
     *
     * <p>What the filler throws makes its event void and those after it; those before it are published. If the end of
     * the pipeline has come as well, what is thrown is a {@link PipelineClosedException} that suppresses it.
     *
     * @throws InterruptedException if interrupted before it got the slots; nothing was published
     * @throws IllegalArgumentException if there are more arguments than the ring has slots
     * @throws IllegalStateException if called by a worker of a spindle, which must not wait: use {@link #offerAll}
     *     there
     * @throws PipelineClosedException if the pipeline was drained or halted; nothing was published
     */
    public <A extends @Nullable Object> void publishAll(
            BiConsumer<? super E, ? super A> filler, Collection<? extends A> arguments) throws InterruptedException {
        A[] all = requireFit(filler, arguments);
        if (all.length > 0) {
            fillAll(claim(all.length, Long.MAX_VALUE), filler, all);
        }
    }

    /**
     * As {@link #publishAll}, if there are slots for all and nobody waits for one.
     *
     * @return whether all were published; if not, none was
     */
    public <A extends @Nullable Object> boolean offerAll(
            BiConsumer<? super E, ? super A> filler, Collection<? extends A> arguments) {
        A[] all = requireFit(filler, arguments);
        if (all.length == 0) {
            return true;
        }
        long from = tryClaim(all.length);
        if (from == Ring.FULL) {
            return false;
        }
        fillAll(from, filler, all);
        return true;
    }

    @SuppressWarnings("unchecked") // an array of objects, in which nobody else writes
    private <A extends @Nullable Object> A[] requireFit(BiConsumer<?, ?> filler, Collection<? extends A> arguments) {
        Objects.requireNonNull(filler, "filler");
        A[] all = (A[]) arguments.toArray(); // the collection may change
        if (all.length > ring.size()) {
            throw new IllegalArgumentException(all.length + " events at a time do not fit into pipeline " + name
                    + ", whose ring has " + ring.size() + " slots; publish them in parts");
        }
        return all;
    }

    /**
     * Publishes an event at once, or as soon as there is a slot: never waits. The filler runs on the calling thread,
     * or, if the event had to wait for its slot, in a task of its own on the spindle, in the context of the calling
     * thread. A filler should be short: as long
     * as it runs, no event behind it goes on, whoever published it. Cancelling the stage's future takes the event back
     * if it still waits.
     *
     * @return completes when the event is published, or fails with what the filler threw or with a {@link
     *     PipelineClosedException}. If the event had to wait, what depends on the stage runs in a task of its own on
     *     the spindle, and may block there without holding up the pipeline
     * @throws PipelineClosedException if the pipeline was drained or halted
     */
    public CompletionStage<@Nullable Void> publishAsync(Consumer<? super E> filler) {
        Objects.requireNonNull(filler, "filler");
        long sequence = tryClaim(1);
        if (sequence == Ring.FULL) {
            return gate.claimLater(HandedContext.<E>with(callbacks.pool(), filler));
        }
        try {
            fill(sequence, filler);
        } catch (Throwable t) {
            return CompletableFuture.failedFuture(t);
        }
        return CompletableFuture.completedFuture(null);
    }

    private long claim() throws InterruptedException {
        return claim(1, Long.MAX_VALUE);
    }

    private long claim(int count, long nanos) throws InterruptedException {
        if (Thread.currentThread() != publisher) {
            requireNoWorker();
        }
        long sequence = tryClaim(count);
        if (sequence == Ring.FULL) {
            requireNoWorker(); // a thread may be one at times
            sequence = gate.claim(count, nanos);
        }
        return sequence;
    }

    private void requireNoWorker() {
        if (WorkerContext.current() != null) {
            throw new IllegalStateException("a worker must not wait for a slot of pipeline " + name
                    + "; use offer or publishAsync instead of publish, and offerAll instead of publishAll");
        }
        if (single) {
            publisher = Thread.currentThread(); // many publishers would only write it in turns
        }
    }

    private long tryClaim(int count) {
        Headroom.require(); // what overflowed after the claim would leave a slot that nobody commits
        if (!single) {
            return gate.tryClaim(count);
        }
        if (publishing) {
            throw new IllegalStateException("two threads publish to pipeline " + name
                    + " at the same time, but singlePublisher() was promised; leave that option away");
        }
        publishing = true;
        long sequence = Ring.FULL;
        try {
            sequence = gate.tryClaim(count);
            return sequence;
        } finally {
            publishing = sequence != Ring.FULL; // until it is committed
        }
    }

    private void fill(long sequence, Consumer<? super E> filler) {
        boolean filled = false;
        try {
            filler.accept(ring.event(sequence));
            filled = true;
        } finally {
            commit(sequence, filled);
        }
    }

    private <A extends @Nullable Object> void fill(long sequence, BiConsumer<? super E, ? super A> filler, A argument) {
        boolean filled = false;
        try {
            filler.accept(ring.event(sequence), argument);
            filled = true;
        } finally {
            commit(sequence, filled);
        }
    }

    private <A extends @Nullable Object> void fillAll(
            long from, BiConsumer<? super E, ? super A> filler, A[] arguments) {
        long to = from + arguments.length;
        long next = from;
        try {
            for (A argument : arguments) {
                filler.accept(ring.event(next), argument);
                next++;
            }
        } catch (Throwable t) {
            if (!commitAll(from, next, to) && next > from) {
                PipelineClosedException closed = gate.closed(); // for those that were filled
                closed.addSuppressed(t);
                throw closed;
            }
            throw t;
        }
        if (!commitAll(from, to, to)) {
            throw gate.closed();
        }
    }

    /** Commits a claim of which the numbers from {@code end} on are void; false if it was too late. */
    private boolean commitAll(long from, long end, long to) {
        if (single) {
            publishing = false;
        }
        for (long rest = end; rest < to; rest++) {
            makeVoid(rest);
        }
        gate.commit(from, to);
        return committed(to - 1);
    }

    private void commit(long sequence, boolean filled) {
        if (single) {
            publishing = false;
        }
        if (!filled) {
            makeVoid(sequence);
        }
        ring.commit(sequence);
        if (!committed(sequence) && filled) {
            throw gate.closed();
        }
    }

    /** Has the stages see what was committed, up to the last number of the claim; false if it was too late. */
    private boolean committed(long last) {
        for (Stage<?> stage : firsts) {
            stage.wake();
        }
        return gate.isUsual() || gate.committed(last);
    }

    private void makeVoid(long sequence) {
        try {
            ring.voids().add(sequence);
        } catch (Throwable t) { // no memory. It must not be committed now, and nothing gets past it
            halt(t);
            throw t;
        }
    }

    // ---------------------------------------------------------------- end

    /**
     * Takes no more events; publishers that wait already are let in.
     *
     * @return completes when the last event has left the last stage, or fails with a {@link PipelineClosedException}
     *     when the pipeline is halted before
     */
    public CompletionStage<@Nullable Void> drain() {
        Headroom.require();
        gate.drain();
        return gate.ended();
    }

    /**
     * Stops: each stage ends the event that it handles and takes no other. Publishers that wait are released with a
     * {@link PipelineClosedException}. Events that were accepted and not handled go to the builder's
     * {@link PipelineBuilder#onDrop}.
     *
     * @return completes when nothing of this pipeline runs any more
     */
    public CompletionStage<@Nullable Void> halt() {
        Headroom.require();
        halt(new CancellationException("halt() was called"), false);
        return gate.ended().handle((nothing, failure) -> null);
    }

    /** The spindle was shut down. */
    private void shut() {
        if (callbacks.isHalted()) {
            halt(Stage.cancelled(stages.get(0).name()));
        } else {
            gate.shut();
        }
    }

    private void halt(Throwable cause) {
        halt(cause, true);
    }

    /** @param logs whether to log what is left if there is no taker */
    private void halt(Throwable cause, boolean logs) {
        boolean held = callbacks.hold(); // until all was handed over
        if (gate.halt(cause)) {
            CompletableFuture<?> unused = CompletableFuture.allOf(
                            stages.stream().map(Stage::stopped).toArray(CompletableFuture<?>[]::new))
                    .whenComplete((nothing, failure) -> callbacks.run(own -> drop(own, held, logs)));
        } else if (held) {
            callbacks.release();
        }
    }

    private void drop(boolean own, boolean held, boolean logs) {
        try {
            List<Long> left = gate.endHalt();
            if (dropHandler == null) {
                if (logs && !left.isEmpty()) {
                    logDropped(left.size());
                }
            } else {
                for (long sequence : left) {
                    OwnTasks.clearInterrupt(own);
                    drop(sequence, own, dropHandler);
                }
            }
            OwnTasks.clearInterrupt(own);
        } finally {
            gate.halted();
            if (held) {
                callbacks.release();
            }
        }
    }

    private void drop(long sequence, boolean own, BiConsumer<? super E, ? super List<String>> handler) {
        try {
            List<String> handled = stages.stream()
                    .filter(stage -> stage.hasHandled(sequence))
                    .map(Stage::name)
                    .toList();
            handler.accept(ring.event(sequence), handled);
        } catch (Throwable t) { // the others are handed over all the same
            OwnTasks.clearInterrupt(own);
            Failures.report(name, () -> {}, t);
        }
    }

    private void logDropped(int events) {
        System.getLogger("dev.spindle")
                .log(
                        System.Logger.Level.WARNING,
                        "pipeline " + name + " was halted with " + events
                                + " events that were not handled; onDrop would have taken them");
    }

    /**
     * Drains and waits for the end. An interrupt halts instead, still waits, and stays set.
     *
     * @throws IllegalStateException if called by a worker of a spindle, which must not wait: use {@link #drain} there
     * @throws PipelineClosedException if the pipeline was halted
     */
    @Override
    public void close() {
        if (WorkerContext.current() != null) {
            throw new IllegalStateException(
                    "a worker must not wait for the end of pipeline " + name + "; use drain instead of close");
        }
        Headroom.require();
        gate.drain();
        boolean interrupted = false;
        for (; ; ) {
            try {
                callbacks.await(gate.end());
                gate.end().get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                halt(e);
            } catch (ExecutionException e) {
                if (interrupted) {
                    break;
                }
                throw gate.closed();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void listWaits(WaitList list) {
        stages.forEach(stage -> stage.actsIn(list));
        gate.listWaits(Collections.min(lasts, Comparator.comparingLong(stage -> stage.done.get())), list);
    }

    /** Returns a string with the name, the state and the slots in use. */
    @Override
    public String toString() {
        return "pipeline " + name + "[" + gate.state() + ", " + (ring.size() - ring.free()) + " of " + ring.size()
                + " slots used]";
    }
}
