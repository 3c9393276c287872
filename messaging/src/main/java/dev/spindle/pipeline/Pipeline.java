// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.ClosedException;
import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.Unfinished;
import dev.spindle.internal.Durations;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.report.Figures;
import dev.spindle.messaging.OwnTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline, whose stages handle events in a ring of preallocated slots. A stage is a
 * {@link dev.spindle.Strand strand} of a spindle, not a thread. So a pipeline may have more stages than the spindle has
 * threads, and an idle stage uses no thread.
 *
 * <pre>{@code
 * Pipeline<Order> orders = Pipeline.builder(spindle, "orders", Order::new)
 *         .capacity(8_192)
 *         .stage("journal", journal::append)
 *         .stage("replicate", replica::send).afterPublish()
 *         .stage("apply", book::apply).after("journal", "replicate")
 *         .build();
 * orders.publish(order -> order.set(account, amount));
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread, unless {@link PipelineBuilder#singlePublisher} was
 * called.
 *
 * <p><b>Order.</b> Each stage handles every event once, one event at a time, in the sequence in which publishers got
 * their slots. A parallel stage handles several events at a time. Events of one thread are published in the order of
 * its calls. A stage handles an event after the stages that it follows, by default the previously declared stage. A
 * slot is reused when all stages have handled its event.
 *
 * <p><b>Back-pressure.</b> When the ring is full, {@link #publish} waits, {@link #offer} returns false and {@link
 * #publishAsync} returns a future. Waiting publishers are served in order, and no later call overtakes them.
 *
 * <p><b>Failure.</b> A filler that throws makes its event void: no stage sees the event. The {@link ErrorPolicy} of a
 * stage determines the reaction to an exception of its handler. A halted pipeline rejects all publishers with an
 * exception that has the failure as its cause.
 *
 * <p><b>Callbacks.</b> Handlers run on the strand of their stage. A handler that blocks delays its stage, the stages
 * that follow and, when the ring is full, the publishers. Fillers run as described at {@link #publish} and
 * {@link #publishAsync}. Plain tasks on the spindle run the {@linkplain PipelineBuilder#onDrop drop handler}, and the
 * dependents of a future that was incomplete when it was returned. These callbacks may block, throw, or call this
 * pipeline. If the spindle has terminated or has no thread, they run in the thread that halts the pipeline or completes
 * the future.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it publishes an event happen-before a stage handles
 * the event. The handling of an event by a stage happens-before its handling by the stages that follow. The handling of
 * an event by all stages happens-before the filler of the next event in the same slot.
 *
 * <p><b>Closing.</b> {@link #drain} rejects further events, and its future completes when all events were handled.
 * {@link #halt} stops the stages at once. After a {@code shutdown} of the spindle the stages handle all published
 * events, and the events that handlers and other accepted tasks of the spindle publish. All other publishers are
 * rejected, even if they were waiting. A {@code shutdownNow} halts the pipeline: the drop handler gets the unhandled
 * events before the spindle terminates.
 */
public final class Pipeline<E> implements AutoCloseable {
    private final String name;
    private final boolean single;
    private final Ring<E> ring;
    private final PublisherGate<E> gate;
    private final List<Stage<E>> stages;
    private final Stage<?>[] firsts;
    private final List<Stage<E>> lasts;
    private final DroppedEvents<E> dropped;
    private final HostExecutor host;
    private final PipelinePart<E> part; // a field, since the spindle refers to it weakly
    private final Lifetime.Part shutdown = this::shut; // a field, since the lifetime refers to it weakly
    private boolean publishing; // true while the single publisher has a claim; racy: may miss a second publisher
    private @Nullable Thread publisher; // the thread of the last blocking publish, with a single publisher
    private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>(); // see terminated()
    private boolean haltAsked; // true if the pipeline was halted by halt(); written before `over` completes

    /** A function that creates the stages, called after the other parts of the pipeline were created. */
    interface Stages<E> {
        Map<String, Stage<E>> make(PublisherGate<E> gate, Stage.Halt halt);
    }

    Pipeline(
            String name,
            boolean single,
            Ring<E> ring,
            StageGraph graph,
            boolean clears,
            @Nullable BiConsumer<? super E, ? super List<String>> dropHandler,
            HostExecutor host,
            Stages<E> make) {
        this.name = name;
        this.single = single;
        this.ring = ring;
        this.host = host;
        gate = new PublisherGate<>(name, ring, this::fill, host);
        Map<String, Stage<E>> made = make.make(gate, this::halt);
        made.forEach((stage, built) -> built.connect(
                named(made, graph.stagesBefore(stage)),
                named(made, graph.stagesAfter(stage)),
                named(made, graph.ancestors(stage))));
        stages = List.copyOf(made.values());
        dropped = new DroppedEvents<>(gate, ring, stages, clears, dropHandler);
        firsts = named(made, graph.inOrder()).stream()
                .filter(stage -> graph.stagesBefore(stage.name()).isEmpty())
                .toArray(Stage<?>[]::new);
        lasts = named(made, graph.inOrder()).stream()
                .filter(stage -> graph.stagesAfter(stage.name()).isEmpty())
                .toList();
        ring.gateBy(lasts.stream().map(stage -> stage.done).toList());
        part = new PipelinePart<>(this, stages, lasts, gate);
        host.register(part);
        Runnable leave = host.listen(shutdown);
        CompletableFuture<?> unused = gate.end().whenComplete((nothing, failure) -> {
            leave.run();
            ended(failure);
        });
    }

    private static <E> List<Stage<E>> named(Map<String, Stage<E>> made, Collection<String> names) {
        List<Stage<E>> found = new ArrayList<>();
        names.forEach(stage -> found.add(Objects.requireNonNull(made.get(stage))));
        return List.copyOf(found);
    }

    /**
     * Returns a builder.
     *
     * @param name the name, which is used in messages
     * @param events the factory of the events, called once for each slot when the pipeline is built
     */
    public static <E> PipelineBuilder<E> builder(Spindle spindle, String name, Supplier<? extends E> events) {
        Objects.requireNonNull(spindle, "spindle");
        return new PipelineBuilder<>(spindle::strand, name, events, new HostExecutor(spindle));
    }

    // ---------------------------------------------------------------- publish

    /**
     * Publishes an event, whose values {@code filler} sets. Waits while the ring is full. The filler runs in the
     * calling thread. The filler must not publish to the same pipeline, and should be short: while it runs, no later
     * event is handled.
     *
     * <p>If the stack of the caller may not suffice for the publication, a {@link StackOverflowError} is thrown and
     * nothing is published. If the filler throws this error, its event becomes void, as after any exception.
     *
     * @throws InterruptedException if interrupted while waiting for a slot; nothing was published
     * @throws IllegalStateException if called by a worker of a spindle; use {@link #offer} or {@link #publishAsync}
     *     there
     * @throws ClosedException if the pipeline was drained or halted
     */
    public void publish(Consumer<? super E> filler) throws InterruptedException {
        Objects.requireNonNull(filler, "filler");
        fill(claim(), filler);
    }

    /**
     * Does what {@link #publish(Consumer)} does, with a filler that takes an argument, so that one filler serves all
     * calls.
     */
    public <A extends @Nullable Object> void publish(BiConsumer<? super E, ? super A> filler, A argument)
            throws InterruptedException {
        Objects.requireNonNull(filler, "filler");
        fill(claim(), filler, argument);
    }

    /**
     * Publishes an event if a slot is free and no publisher waits for a slot. Never waits.
     *
     * @return whether the event was published
     * @throws ClosedException if the pipeline was drained or halted
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

    /**
     * Does what {@link #publish(Consumer)} does, but waits for at most {@code timeout}.
     *
     * @return whether the event was published
     */
    public boolean offer(Consumer<? super E> filler, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(filler, "filler");
        long sequence = claim(1, Durations.toNanos(Objects.requireNonNull(timeout, "timeout")));
        if (sequence == Ring.FULL) {
            return false;
        }
        fill(sequence, filler);
        return true;
    }

    /**
     * Publishes an event for each of {@code arguments}, in their order and without other events in between. Waits until
     * the ring has a slot for each event. The stages are notified once, after all events were filled, so this is the
     * fastest way to publish a batch of events.
     *
     * <p>If the filler throws, its event and the following events become void; the events before are published. If
     * these events are rejected because the pipeline was closed, this method throws a {@link ClosedException} with the
     * filler's exception as a suppressed exception.
     *
     * @throws InterruptedException if interrupted while waiting for the slots; nothing was published
     * @throws IllegalArgumentException if there are more arguments than the ring has slots
     * @throws IllegalStateException if called by a worker of a spindle; use {@link #offerAll} there
     * @throws ClosedException if the pipeline was drained or halted; nothing was published
     */
    public <A extends @Nullable Object> void publishAll(
            BiConsumer<? super E, ? super A> filler, Collection<? extends A> arguments) throws InterruptedException {
        A[] all = requireFit(filler, arguments);
        if (all.length > 0) {
            fillAll(claim(all.length, Long.MAX_VALUE), filler, all);
        }
    }

    /**
     * Does what {@link #publishAll} does if there is a slot for each event and no publisher waits for a slot. Never
     * waits.
     *
     * @return true if all events were published; false if no event was published
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

    @SuppressWarnings("unchecked") // a new array of objects
    private <A extends @Nullable Object> A[] requireFit(BiConsumer<?, ?> filler, Collection<? extends A> arguments) {
        Objects.requireNonNull(filler, "filler");
        A[] all = (A[]) arguments.toArray(); // a copy, since the collection may change
        if (all.length > ring.size()) {
            throw new IllegalArgumentException(all.length + " events at a time do not fit into pipeline " + name
                    + ", whose ring has " + ring.size() + " slots; publish them in parts");
        }
        return all;
    }

    /**
     * Publishes an event at once, or as soon as there is a slot. Never waits. If a slot is free and no publisher waits
     * for a slot, the filler runs in the calling thread. If not, the filler runs later in its own task on the spindle,
     * in the context of the calling thread. The filler should be short: while it runs, no later event is handled.
     * Cancelling the future withdraws an event that has no slot yet.
     *
     * @return a future that completes when the event is published, or exceptionally with the exception of the filler or
     *     with a {@link ClosedException}. If the event had to wait for a slot, dependents of the future run in their
     *     own task on the spindle, where they may block without delaying the pipeline
     * @throws ClosedException if the pipeline was drained or halted
     */
    public CompletableFuture<@Nullable Void> publishAsync(Consumer<? super E> filler) {
        Objects.requireNonNull(filler, "filler");
        long sequence = tryClaim(1);
        if (sequence == Ring.FULL) {
            return gate.claimLater(HandedContext.<E>with(host.pool(), filler));
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
            requireNoWorker(); // the thread of an earlier blocking publish may be a worker now
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
            publisher = Thread.currentThread(); // only with a single publisher; many would overwrite each other
        }
    }

    private long tryClaim(int count) {
        // An overflow after the claim would leave a slot without a commit.
        Headroom.requireTwice(); // Ring-4
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
            publishing = sequence != Ring.FULL; // true until the commit, unless nothing was claimed
        }
    }

    private void fill(long sequence, Consumer<? super E> filler) {
        boolean filled = false;
        try {
            filler.accept(ring.event(sequence)); // Ring-3
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
                ClosedException closed = gate.closed(); // the events that were filled are rejected
                closed.addSuppressed(t);
                throw closed;
            }
            throw t;
        }
        if (!commitAll(from, to, to)) {
            throw gate.closed();
        }
    }

    /** Commits a claim whose events from {@code end} on are void. Returns false if the events are rejected. */
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

    /**
     * Wakes the first stages after a commit up to {@code last}. Returns false if the event {@code last} is rejected.
     */
    private boolean committed(long last) {
        for (Stage<?> stage : firsts) {
            stage.wake();
        }
        return gate.isUsual() || gate.committed(last);
    }

    private void makeVoid(long sequence) {
        try {
            ring.voids().add(sequence);
        } catch (Throwable t) { // an event that is not marked as void must not be committed, so the pipeline must end
            halt(t);
            throw t;
        }
    }

    // ---------------------------------------------------------------- state

    /**
     * Returns the current counts. {@link Stats#accepted} is the number of events with a slot: {@link Stats#completed}
     * events that all stages have handled or passed over, {@link Stats#pending} events in the ring, some of which are
     * being filled, and {@link Stats#dropped} events that a halt has left. {@link Stats#failed} is the number of events
     * that a stage has skipped, or for which it has halted the pipeline. {@link Stats#running} of the
     * {@link Stats#maxConcurrency} strands of the stages have events to handle. Other counts are not kept.
     */
    public Stats stats() {
        boolean ended = over.isDone();
        long done = ring.leastDone(); // read before the claims, so that it is not the larger number
        int gone = ended ? dropped.count() : 0;
        long accepted = ended ? done + gone : ring.claimed();
        long failed = stages.stream().mapToLong(Stage::failed).sum();
        int running = ended ? 0 : stages.stream().mapToInt(Stage::running).sum();
        int strands = stages.stream().mapToInt(Stage::width).sum();
        long pending = accepted - done - gone;
        return new Figures(name, accepted, done, failed, 0, gone, 0, 0, pending, running, ring.size(), strands);
    }

    /**
     * Returns the current counts of a stage, as {@link #stats()} does. {@link Stats#completed} does not include the
     * events of an unfinished batch, and {@link Stats#pending} is the number of events that the stage may handle now.
     * Takes time in proportion to the number of pending events.
     *
     * @throws IllegalArgumentException if there is no such stage
     */
    public Stats stats(String stage) {
        return stages.stream()
                .filter(one -> one.name().equals(stage))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("pipeline " + name + " has no stage " + stage
                        + "; its stages are " + stages.stream().map(Stage::name).toList()))
                .stats(over.isDone());
    }

    // ---------------------------------------------------------------- end

    /**
     * Rejects further events. Publishers that already wait still publish their events.
     *
     * @return a future that completes when all stages have handled all events, or exceptionally with a
     *     {@link ClosedException} if the pipeline is halted first
     */
    public CompletableFuture<@Nullable Void> drain() {
        Headroom.requireTwice();
        gate.drain();
        return gate.ended();
    }

    /**
     * Stops the pipeline. Each stage completes the event that it handles, and takes no other event. Waiting publishers
     * are rejected with a {@link ClosedException}. The handler of {@link PipelineBuilder#onDrop}, if any, gets the
     * accepted events that were not handled.
     *
     * @return a future that completes when no further handler or callback of this pipeline will run, with the accepted
     *     events that not all stages have handled, in sequence, each by the first stage that has not; empty after a
     *     drain
     */
    public CompletableFuture<Unfinished<E>> halt() {
        Headroom.requireTwice();
        halt(new CancellationException("halt() was called"), false);
        return host.stageOf(over.handle((nothing, failure) -> dropped.unfinished()));
    }

    /**
     * Returns a future that completes when no further handler or callback of this pipeline will run. The future
     * completes normally after {@link #drain}, {@link #close} or {@link #halt}, and exceptionally, with the cause, if a
     * failure or a {@code shutdownNow} has halted the pipeline.
     */
    public CompletableFuture<@Nullable Void> terminated() {
        return host.stageOf(over);
    }

    private void ended(@Nullable Throwable failure) {
        Throwable cause = failure == null || haltAsked ? null : gate.cause();
        if (cause == null) {
            over.complete(null);
        } else {
            over.completeExceptionally(cause);
        }
    }

    /** Called after a shutdown of the spindle. */
    private void shut() {
        if (host.isHalted()) {
            halt(Stage.cancelled(stages.get(0).name())); // D1
        } else {
            gate.shut();
        }
    }

    /** Returns whether no further handler or callback will run. */
    boolean hasEnded() {
        return over.isDone();
    }

    private void halt(Throwable cause) {
        halt(cause, true);
    }

    /**
     * @param logs whether to log the number of dropped events if there is no drop handler
     */
    private void halt(Throwable cause, boolean logs) {
        boolean held = host.hold(); // keeps the spindle from terminating until the drop handler has returned
        if (gate.halt(cause)) {
            haltAsked = !logs;
            CompletableFuture<?> unused = CompletableFuture.allOf(
                            stages.stream().map(Stage::stopped).toArray(CompletableFuture<?>[]::new))
                    .whenComplete((nothing, failure) -> host.run(own -> drop(own, held, logs)));
        } else if (held) {
            host.release();
        }
    }

    private void drop(boolean own, boolean held, boolean logs) {
        try {
            dropped.pass(own, logs);
            OwnTasks.clearInterrupt(own);
        } finally {
            gate.halted();
            if (held) {
                host.release();
            }
        }
    }

    /**
     * Drains the pipeline and waits until it has ended. If the calling thread is interrupted, halts the pipeline and
     * interrupts its handlers, still waits for the end, and then returns with the interrupt status set.
     *
     * <p>With a {@link dev.spindle.SpindleBuilder#closeTimeout} of the spindle, does what {@link #close(Duration)} does
     * with that time, and logs the report if it has halted. A close that has waited for 10 s logs once what runs.
     *
     * @throws IllegalStateException if called by a worker of a spindle; use {@link #drain} there
     * @throws ClosedException if a failure or another thread has halted the pipeline
     */
    @Override
    public void close() {
        if (!closing().close(PipelineClosing.refusal(name)) && gate.end().isCompletedExceptionally()) {
            throw gate.closed();
        }
    }

    /**
     * Does what {@link #close()} does, but waits at most for {@code timeout}, then halts as after an interrupt, and
     * returns at most 1 s after a halt, even if a handler does not react to its interrupt.
     *
     * @return the events that not all stages have handled, as in {@link #halt()}, and the stages that still run. An
     *     event that a filler still fills is rejected
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws IllegalStateException if called by a worker of a spindle; use {@link #drain} there
     */
    public Unfinished<E> close(Duration timeout) {
        return closing().close(PipelineClosing.refusal(name), Durations.requireLimit("timeout", timeout));
    }

    private PipelineClosing<E> closing() {
        return new PipelineClosing<>(host, gate, dropped, () -> {
            halt(new CancellationException("close has halted it"), false);
            if (host.pool() != null) {
                stages.forEach(Stage::interrupt);
            }
        });
    }

    /** Returns a string with the name, the state and the number of slots in use. */
    @Override
    public String toString() {
        return "pipeline " + name + "[" + gate.state() + ", " + (ring.size() - ring.free()) + " of " + ring.size()
                + " slots used]";
    }
}
