// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.Spindle;
import dev.spindle.internal.ContextCarrier;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.MessageTask;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolLookup;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WaitSource;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.Headroom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A group of actors that run on the workers of a {@link Spindle}. {@link Spindle#waits} lists which actors wait for
 * which.
 *
 * <pre>{@code
 * try (Actors actors = Actors.create(spindle)) {
 *     ActorRef<String> log = actors.start("log", () -> (line, self) -> file.write(line));
 *     log.send("hello"); // from any thread; waits while the mailbox is full
 * }
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. Only {@link #close} may wait; it refuses to wait on
 * a worker.
 *
 * <p><b>Closing.</b> Actors live until they are stopped: their group refers to them, and the spindle refers to a group
 * with actors. After {@link Spindle#shutdown} no message from outside is accepted, and senders that wait for room are
 * refused. Actors handle the messages that they have accepted, and the messages that these make them send in their
 * turns, over any number of hops. When no other task is left, unanswered asks fail with a
 * {@link RejectedExecutionException}, and then all actors are stopped, before the spindle terminates.
 * {@link Spindle#shutdownNow} ends all actors: each handles at most the message that it is handling, waiting messages
 * go to the {@link DropHandler}, the {@link ActorExit#cause} is a {@link CancellationException}, and idle actors end in
 * the thread that calls it.
 *
 * <p><b>Contexts.</b> If the spindle has a {@link dev.spindle.ContextHook}, a message is handled in the context of its
 * sender; answers, results, timers and watches in the context of the turn that requested them; and an instance starts
 * and stops in the context of the thread that started the actor. User code begins with a clear interrupt flag.
 */
public final class Actors implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.spindle");

    private final Spindle spindle;
    private final Pool pool;
    private final int batch;
    private final @Nullable DropHandler onDrop;
    private final @Nullable Consumer<? super Overdraft> onOverdraft;
    private final LongAdder overdrafts = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder superseded = new LongAdder();
    private final Runnable onHalt = this::halted; // one object each, so that it can be removed
    private final Runnable onShutdown = this::shutDown;
    private final Runnable onEnd = this::endOpen;
    private final WaitSource waits = this::listWaits; // a field, since the pool refers to it weakly
    private final @Nullable ContextCarrier contexts;
    private final @Nullable Object ownContext; // of the thread that created the group
    private final Object lock = new Object();

    // under the lock: a list of all actors, linked through them
    private @Nullable ActorCell<?> first;
    private int size;
    private int open; // as size, but counts an actor until its end has been announced
    private @Nullable CompletableFuture<@Nullable Void> ended; // set by stop()
    private boolean closed; // set by a shutdown of the spindle
    private boolean holds; // whether this keeps the spindle from terminating until all actors have ended

    private boolean asksEnded; // set by a shutdown; endOpen, which uses it, never runs twice at a time

    Actors(ActorsBuilder options) {
        spindle = options.spindle;
        pool = PoolLookup.of(spindle);
        contexts = pool.host().contexts();
        ownContext = capture();
        batch = options.batch;
        onDrop = options.onDrop;
        onOverdraft = options.onOverdraft;
        pool.waits().add(waits);
    }

    /** Returns a new group with the default options. */
    public static Actors create(Spindle spindle) {
        return builder(spindle).build();
    }

    /** Returns a builder for a group. */
    public static ActorsBuilder builder(Spindle spindle) {
        return new ActorsBuilder(spindle);
    }

    // ---------------------------------------------------------------- starts

    /**
     * Starts an actor with the default options: a capacity of 1,024, and a failure stops it. An exception of the
     * factory is thrown to the caller, and no actor is started.
     *
     * @param name used in messages and failure reports; need not be unique
     * @param factory creates an instance for each start, in the calling thread
     * @throws NullPointerException if the factory returns null
     * @throws RejectedExecutionException after {@link #stop} or a shutdown of the spindle
     */
    public <M> ActorRef<M> start(String name, Supplier<? extends Actor<M>> factory) {
        return actor(name, factory).start();
    }

    /** Returns a builder of actors with options. */
    public <M> ActorBuilder<M> actor(String name, Supplier<? extends Actor<M>> factory) {
        return new ActorBuilder<>(this, name, factory);
    }

    <M> ActorRef<M> start(ActorOptions<M> options) {
        ActorCell<M> actor = new ActorCell<>(this, options, options.create());
        ActorCell.Begin begin = new ActorCell.Begin();
        requireOpen(actor);
        synchronized (lock) {
            if (ended != null) {
                throw new RejectedExecutionException(this + " is stopped and rejected actor " + options.name());
            }
            if (closed) {
                throw shutException(options.name(), "rejected actor");
            }
            ActorCell<?> second = first;
            actor.next = second;
            if (second != null) {
                second.previous = actor;
            }
            first = actor;
            size++;
            if (open++ == 0) {
                pool.onHalt(onHalt);
                pool.lifetime().listen(onShutdown);
                pool.lifetime().atEnd(onEnd);
            }
        }
        boolean unused = actor.signal(begin);
        return actor.ref();
    }

    /** Removes an actor that has ended. */
    void remove(ActorCell<?> actor) {
        synchronized (lock) {
            ActorCell<?> before = actor.previous;
            ActorCell<?> after = actor.next;
            if (before == null) {
                first = after;
            } else {
                before.next = after;
            }
            if (after != null) {
                after.previous = before;
            }
            actor.previous = null;
            actor.next = null;
            size--;
        }
    }

    /** Notes that the end of an actor has been announced. */
    void ended() {
        CompletableFuture<@Nullable Void> last;
        boolean none;
        boolean release;
        synchronized (lock) {
            open--;
            none = open == 0;
            if (none) {
                pool.forgetHalt(onHalt);
                pool.lifetime().forget(onShutdown);
                pool.lifetime().forgetEnd(onEnd);
            }
            release = none && holds;
            holds &= !none;
            last = none ? ended : null;
        }
        if (release) {
            pool.lifetime().release();
        }
        if (last != null) {
            last.complete(null);
        }
    }

    // ---------------------------------------------------------------- a shutdown of the spindle

    /** Refuses waiting senders that are not on a worker of the spindle, which accepts nothing more. */
    private void shutDown() {
        if (!pool.isHalted()) {
            all().forEach(ActorCell::refuseOutside);
        }
    }

    /**
     * Called after a shutdown, when no task is left from which an actor could get a message: fails the unanswered asks
     * and, after the askers have handled these failures, stops the actors. The spindle waits for them, and for the
     * messages that they have told actors of other spindles.
     */
    private void endOpen() {
        if (pool.isHalted()) {
            return;
        }
        List<ActorCell<?>> all = all();
        boolean asked = false;
        for (ActorCell<?> actor : all) {
            asked |= !asksEnded && actor.refuseAsks();
        }
        asksEnded = true; // once: later asks end with the actors
        if (asked) {
            pool.lifetime().atEnd(onEnd);
            return;
        }
        synchronized (lock) {
            closed = true;
            holds = open > 0 && pool.lifetime().hold();
            all = all();
        }
        all.forEach(ActorCell::stopQuietly);
    }

    RejectedExecutionException shutException(Object actor, String what) {
        return new RejectedExecutionException("spindle " + pool.name() + " is shut down and " + what + " " + actor);
    }

    private void halted() {
        for (ActorCell<?> actor : all()) {
            try {
                actor.halted();
            } catch (Throwable t) { // the other actors must end, too
                report(actor, null, t);
            }
        }
    }

    private List<ActorCell<?>> all() {
        synchronized (lock) {
            List<ActorCell<?>> all = new ArrayList<>(size);
            for (ActorCell<?> actor = first; actor != null; actor = actor.next) {
                all.add(actor);
            }
            return all;
        }
    }

    // ---------------------------------------------------------------- figures

    /** Returns an estimate of the number of actors that have not ended. */
    public int size() {
        synchronized (lock) {
            return size;
        }
    }

    private void listWaits(WaitList list) {
        for (ActorCell<?> actor : all()) {
            Thread thread = actor.estimatedThread();
            if (thread != null) {
                list.actsFor(thread, actor);
            }
            actor.waiting().forEach(waiter -> list.room(waiter.from(), actor, waiter.since));
        }
    }

    /**
     * Returns the {@code n} deepest mailboxes, of those that are not empty, have waiters, or whose actor's outbox is
     * not empty. Takes time in proportion to the number of actors.
     *
     * @throws IllegalArgumentException if {@code n} is negative
     */
    public List<MailboxSnapshot> busiest(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("n must not be negative, is " + n);
        }
        return all().stream()
                .map(actor -> new MailboxSnapshot(
                        actor.name(),
                        actor.estimatedDepth(),
                        actor.capacity(),
                        actor.estimatedOutbox(),
                        actor.waiting().size()))
                .filter(box -> box.depth() > 0 || box.outbox() > 0 || box.waiters() > 0)
                .sorted(Comparator.comparingInt(MailboxSnapshot::depth).reversed())
                .limit(n)
                .toList();
    }

    /** Returns the number of messages that were admitted over a bound because their senders waited for each other. */
    public long overdrafts() {
        return overdrafts.sum();
    }

    /** Returns the number of accepted messages that went to the {@link DropHandler}. */
    public long dropped() {
        return dropped.sum();
    }

    /** Returns the number of messages that were superseded by a newer message with the same key. */
    public long supersededMessages() {
        return superseded.sum();
    }

    // ---------------------------------------------------------------- the end

    /**
     * Stops all actors. No more actors can be started.
     *
     * @return a stage that completes when the last actor has ended
     */
    public CompletionStage<@Nullable Void> stop() {
        Headroom.require();
        CompletableFuture<@Nullable Void> end;
        boolean none;
        synchronized (lock) {
            if (ended == null) {
                ended = new CompletableFuture<>();
            }
            end = ended;
            none = open == 0;
        }
        if (none) {
            end.complete(null);
        }
        all().forEach(actor -> actor.stop(true));
        return end.minimalCompletionStage();
    }

    /**
     * Stops all actors, and waits until the last has ended. Not interruptible; the interrupt status is kept.
     *
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #stop}
     */
    @Override
    public void close() {
        if (WorkerContext.current() != null) {
            throw new IllegalStateException("close would make a worker wait for " + this + "; call stop instead");
        }
        CompletableFuture<@Nullable Void> end = stop().toCompletableFuture();
        await(end, false);
        Void unused = end.join();
    }

    // ---------------------------------------------------------------- services for the actors

    Spindle spindle() {
        return spindle;
    }

    String spindleName() {
        return pool.name();
    }

    long nanoTime() {
        return pool.nanoTime();
    }

    int batch() {
        return batch;
    }

    boolean isHalted() {
        return pool.isHalted();
    }

    boolean mayGoOn() {
        return pool.mayGoOn();
    }

    /** In a simulation, runs tasks until {@code end} is done; otherwise returns at once. */
    void await(CompletableFuture<?> end, boolean interruptible) {
        long unused = pool.await(end::isDone, Long.MAX_VALUE, interruptible);
    }

    /** Throws an exception unless a message accepted now would be handled. */
    void requireOpen(ActorCell<?> actor) {
        Headroom.require(); // a push that ended half-way would leave a mailbox with letters and without an owner
        if (!isOpen()) {
            throw shutException(actor, "rejected a message for");
        }
        if (!pool.ensureThread()) {
            throw new RejectedExecutionException(
                    "spindle " + pool.name() + " has no thread, could start none, and rejected a message for " + actor);
        }
    }

    /**
     * Returns whether messages of the calling thread are accepted. After a shutdown they are accepted from workers of
     * the spindle only, whose tasks were accepted before.
     */
    boolean isOpen() {
        return !spindle.isShutdown() || (pool.isWorking() && !pool.isHalted());
    }

    boolean isShutdown() {
        return spindle.isShutdown();
    }

    Pool pool() {
        return pool;
    }

    /** Schedules a turn of {@code actor} on a worker. */
    void ready(ActorCell<?> actor) {
        for (; ; ) {
            try {
                pool.ready(actor);
                break;
            } catch (OutOfMemoryError e) {
                Thread.yield(); // accepted messages must not be lost
            }
        }
        Lifetime lifetime = pool.lifetime();
        if (!lifetime.isShut()) {
            return;
        }
        if (pool.isWorking()) {
            return; // a running worker keeps the pool from terminating
        }
        if (lifetime.hold()) {
            lifetime.release(); // a termination under way that missed the actor does not take place (Lifetime-1)
        } else if (pool.remove(actor)) {
            actor.abandon();
        }
    }

    /** Reports to the spindle's failure handler; {@code message} is null if none was being handled. Never throws. */
    void report(ActorCell<?> actor, @Nullable Object message, Throwable failure) {
        pool.failed(actor.name(), message == null ? actor : new MessageTask(message, actor), failure);
    }

    /** Passes a message, plain or {@link Carried}, to the drop handler. */
    void dropped(ActorCell<?> actor, Object sent) {
        Object message = sent instanceof Carried carried ? carried.message() : sent;
        if (message == null) {
            return; // the message was never made
        }
        dropped.increment();
        boolean interrupted = Thread.interrupted(); // restored below, since user code may be the caller
        try {
            if (onDrop == null) {
                report(
                        actor,
                        message,
                        actor.stoppedException(
                                "the message " + message.getClass().getName()));
                return;
            }
            Runnable restored = sent instanceof Carried carried ? restore(carried.context) : Actors::nothing;
            try {
                onDrop.onDrop(actor.ref(), message);
            } finally {
                restored.run();
            }
        } catch (Throwable t) {
            report(actor, message, t);
        } finally {
            resetInterrupt(interrupted);
        }
    }

    private static void resetInterrupt(boolean interrupted) {
        boolean unused = Thread.interrupted();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // ---------------------------------------------------------------- contexts

    /** Returns the context of the calling thread, or null if there is no hook. */
    @Nullable
    Object capture() {
        return contexts == null ? null : contexts.capture();
    }

    /** Sets the context of the calling thread; running the result restores the previous one. */
    Runnable restore(@Nullable Object context) {
        return contexts == null ? Actors::nothing : contexts.restore(context);
    }

    /** Returns {@code message} with the context of the calling thread; {@code message} itself if there is no hook. */
    Object carried(Object message) {
        return contexts == null ? message : Carried.message(contexts.capture(), message);
    }

    void overdrawn(ActorCell<?> sender, Overdraft overdraft) {
        boolean first = overdrafts.sum() == 0;
        overdrafts.add(overdraft.messages());
        boolean unused = Thread.interrupted();
        try {
            if (onOverdraft != null) {
                Runnable restored = restore(ownContext);
                try {
                    onOverdraft.accept(overdraft);
                } finally {
                    restored.run();
                }
            } else if (first) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "actors waited for room in each other's mailboxes, and messages were let in over the bound: "
                                + overdraft.describePath() + ". Further ones are counted, not logged");
            }
        } catch (Throwable t) {
            report(sender, null, t);
        }
    }

    void superseded() {
        superseded.increment();
    }

    private static void nothing() {}

    @Override
    public String toString() {
        return "actors of " + spindle;
    }
}
