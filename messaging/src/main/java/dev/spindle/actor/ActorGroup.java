// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.Activity;
import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.Unfinished;
import dev.spindle.actor.internal.Carried;
import dev.spindle.actor.internal.Letter;
import dev.spindle.actor.internal.Parcel;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.MessageTask;
import dev.spindle.internal.Pool;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.WaitList;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.report.UnfinishedView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The actors of an {@link Actors}, and the services that they share: the pool, contexts, reports and counts. */
final class ActorGroup implements SpindlePart {
    private static final System.Logger LOG = System.getLogger("dev.spindle");

    private final Spindle spindle;
    private final Pool pool;
    private final int batch;
    private final @Nullable BiConsumer<? super ActorBase, Object> dropHandler;
    private final ActorCounts counts = new ActorCounts();
    private final Runnable onHalt = this::halted; // a field, since forgetHalt() needs the same object
    private final Runnable onShutdown = this::shutDown;
    private final Runnable onEnd = this::endOpen;
    private final @Nullable UnaryOperator<Runnable> taskDecorator;
    private final Object lock = new Object();

    // under the lock: a list of all actors, linked by fields of the actors
    private @Nullable ActorBase first;
    private int size;
    private long handledByEnded; // the number of messages that actors had handled when they ended
    // the messages that were not handled, and the names of their actors; since the first stop(), or a shutdownNow
    private final List<Object> left = new ArrayList<>();
    private final List<String> leftBy = new ArrayList<>();
    private int open; // like `size`, but an actor is counted until its end has been announced
    private @Nullable CompletableFuture<@Nullable Void> ended; // set by stop()
    private boolean closed; // true after a shutdown, once endOpen() ends the actors
    private boolean holds; // true if this group keeps the spindle from terminating until all actors have ended

    private boolean asksEnded; // true once endOpen(), whose calls never overlap, has failed the open asks

    ActorGroup(Spindle spindle, int batch, @Nullable BiConsumer<? super ActorBase, Object> dropHandler) {
        this.spindle = spindle;
        this.batch = batch;
        this.dropHandler = dropHandler;
        pool = Pool.of(spindle);
        taskDecorator = pool.host().taskDecorator();
        pool.parts().add(this);
    }

    // ---------------------------------------------------------------- the list of actors

    /** Adds an actor and sends it {@code begin}. */
    void start(ActorBase actor, Letter.Signal begin) {
        requireOpen(actor);
        synchronized (lock) {
            if (ended != null) {
                throw new RejectedExecutionException(this + " is stopped and rejected actor " + actor.name());
            }
            if (closed) {
                throw shutException(actor.name(), "rejected actor");
            }
            ActorBase second = first;
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
    }

    /** Removes an actor that has ended. */
    void remove(ActorBase actor) {
        synchronized (lock) {
            ActorBase before = actor.previous;
            ActorBase after = actor.next;
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
            handledByEnded += actor.handled();
            counts.superseded.add(actor.superseded());
            actor.left().forEach(message -> addLeft(actor, message));
        }
    }

    /** Records a message that {@code actor} has refused: it was told, but found the actor ended. */
    void refused(ActorBase actor, Object sent) {
        synchronized (lock) {
            addLeft(actor, ActorBase.plain(sent));
        }
    }

    private void addLeft(ActorBase actor, @Nullable Object message) {
        if (message != null && (ended != null || pool.isHalted())) {
            left.add(message);
            leftBy.add(actor.toString());
        }
    }

    /** Records that the end of an actor has been announced. */
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

    /**
     * Ends all actors, at once or, if {@code handleAccepted}, after they have handled the accepted messages. Returns a
     * future that completes when the last actor has ended.
     */
    CompletableFuture<@Nullable Void> stop(boolean handleAccepted) {
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
        all().forEach(actor -> actor.stop(handleAccepted));
        return end;
    }

    /** Interrupts the user code that actors run. */
    void interruptAll() {
        all().forEach(ActorBase::interruptTurn);
    }

    /**
     * Returns the messages that the end of the actors has left unhandled, and those of actors that have not ended after
     * a halt, by actor.
     */
    Unfinished<Object> unfinished() {
        List<Object> items;
        List<String> owners;
        List<ActorBase> open; // disjoint from `items`, since both are read in one step
        synchronized (lock) {
            items = new ArrayList<>(left);
            owners = new ArrayList<>(leftBy);
            open = all();
        }
        for (ActorBase actor : open) {
            List<Object> own = actor.left();
            items.addAll(own);
            owners.addAll(Collections.nCopies(own.size(), actor.toString()));
            for (Parcel told : actor.told()) {
                Object message = ActorBase.plain(told.letter.peek());
                if (message != null && ((ActorBase) told.target).group() == this) {
                    items.add(message);
                    owners.add(told.target.toString());
                }
            }
        }
        return new UnfinishedView<>(List.copyOf(items), owners::get, running());
    }

    /** Returns the actors that run user code now. */
    List<Activity> running() {
        IdentityHashMap<Thread, Long> since = new IdentityHashMap<>();
        pool.forEachWorker(worker -> {
            Thread thread = worker.thread();
            if (thread != null) {
                since.put(thread, worker.now());
            }
        });
        List<Activity> running = new ArrayList<>();
        for (ActorBase actor : all()) {
            Thread thread = actor.estimatedThread();
            Long begin = thread == null ? null : since.get(thread);
            if (thread != null) {
                running.add(actor.activity(
                        thread, begin == null ? null : Duration.ofNanos(Math.max(0, pool.nanoTime() - begin))));
            }
        }
        return List.copyOf(running);
    }

    int size() {
        synchronized (lock) {
            return size;
        }
    }

    @Override
    public void listFigures(FigureList list) {
        if (!hasEnded()) {
            list.add(Kind.ACTORS, pool.name(), stats());
        }
    }

    private boolean hasEnded() {
        synchronized (lock) {
            return ended != null && open == 0;
        }
    }

    @Override
    public void listWaits(WaitList list) {
        for (ActorBase actor : all()) {
            Thread thread = actor.estimatedThread();
            if (thread != null) {
                list.actsFor(thread, actor);
            }
            actor.waiting().forEach(waiter -> list.room(waiter.from(), actor, waiter.since));
        }
    }

    // ---------------------------------------------------------------- a shutdown of the spindle

    /** Refuses waiting senders that are not workers of the spindle, unless the spindle was halted. */
    private void shutDown() {
        if (!pool.isHalted()) {
            all().forEach(ActorBase::refuseOutside);
        }
    }

    /**
     * Fails the unanswered asks and, after the askers have handled these failures, stops the actors. Called after a
     * shutdown, when no task is left that could send a message to an actor. Keeps the spindle from terminating until
     * its actors have ended and their outboxes are empty.
     */
    private void endOpen() {
        if (pool.isHalted()) {
            return;
        }
        List<ActorBase> all = all();
        boolean asked = false;
        for (ActorBase actor : all) {
            asked |= !asksEnded && actor.refuseAsks();
        }
        asksEnded = true; // asks are failed once; a later ask ends with the asked actor
        if (asked) {
            pool.lifetime().atEnd(onEnd);
            return;
        }
        synchronized (lock) {
            closed = true;
            holds = open > 0 && pool.lifetime().hold();
            all = all();
        }
        all.forEach(ActorBase::stopQuietly);
    }

    RejectedExecutionException shutException(Object actor, String what) {
        return new RejectedExecutionException("spindle " + pool.name() + " is shut down and " + what + " " + actor);
    }

    private void halted() {
        for (ActorBase actor : all()) {
            try {
                actor.wake();
            } catch (Throwable t) { // the other actors must still be ended
                report(actor, null, t);
            }
        }
    }

    List<ActorBase> all() {
        synchronized (lock) {
            List<ActorBase> all = new ArrayList<>(size);
            for (ActorBase actor = first; actor != null; actor = actor.next) {
                all.add(actor);
            }
            return all;
        }
    }

    // ---------------------------------------------------------------- the pool

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

    boolean mayGoOn(@Nullable WorkerContext worker) {
        return pool.mayGoOn(worker);
    }

    /**
     * In a simulation, runs tasks until {@code end} is done, for at most {@code nanos}; otherwise returns at once.
     * Returns the time left to wait.
     */
    long await(CompletableFuture<?> end, long nanos, boolean interruptible) {
        return pool.await(end::isDone, nanos, interruptible);
    }

    /** Throws an exception unless a message accepted now would be handled. */
    void requireOpen(ActorBase actor) {
        // Mailbox-1
        Headroom.requireTwice(); // an overflow during a push would leave a mailbox with letters and without an owner
        if (!isOpen()) {
            throw shutException(actor, "rejected a message for");
        }
        if (!pool.ensureThread()) {
            throw new RejectedExecutionException(
                    "spindle " + pool.name() + " has no thread, could start none, and rejected a message for " + actor);
        }
    }

    /**
     * Returns whether messages of the calling thread are accepted. After a shutdown, only messages of workers of the
     * spindle are accepted; after a {@code shutdownNow}, no messages are accepted.
     */
    boolean isOpen() {
        return !spindle.isShutdown() || (pool.isWorking() && !pool.isHalted()); // D1
    }

    boolean isShutdown() {
        return spindle.isShutdown();
    }

    Pool pool() {
        return pool;
    }

    /** Schedules a turn of {@code actor} on a worker. If the pool has ended, ends the actor in the calling thread. */
    void ready(ActorBase actor) {
        pool.ready(actor);
        Lifetime lifetime = pool.lifetime();
        if (!lifetime.isShut()) {
            return;
        }
        if (pool.isWorking()) {
            return; // a running worker keeps the pool from terminating
        }
        if (lifetime.hold()) {
            lifetime.release(); // prevents a termination that has missed the actor (Lifetime-1)
        } else if (pool.remove(actor)) {
            actor.abandon();
        }
    }

    /** Reports to the spindle's failure handler; {@code message} is null if none was being handled. Never throws. */
    void report(ActorBase actor, @Nullable Object message, Throwable failure) {
        pool.failed(actor, message == null ? actor : new MessageTask(message, actor), failure);
    }

    /** Passes a message, plain or {@link Carried}, to the drop handler. */
    void dropped(ActorBase actor, Object sent) {
        Object message = ActorBase.plain(sent);
        if (message == null) {
            return; // the message was never made
        }
        actor.count(all -> all.dropped);
        boolean interrupted = Thread.interrupted(); // restored below, since user code may be the caller
        try {
            BiConsumer<? super ActorBase, Object> handler = dropHandler;
            if (handler == null) {
                report(
                        actor,
                        message,
                        actor.stoppedException(
                                "the message " + message.getClass().getName()));
                return;
            }
            HandedContext.runIn(
                    sent instanceof Carried carried ? carried.context() : null, () -> handler.accept(actor, message));
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

    /** Returns the context of the calling thread, or null if there is no task decorator. */
    @Nullable
    HandedContext capture() {
        return taskDecorator == null ? null : HandedContext.capture(taskDecorator);
    }

    /**
     * Returns {@code message} with the context of the calling thread; {@code message} itself if there is no task
     * decorator.
     */
    Object carried(Object message) {
        HandedContext context = capture();
        return context == null ? message : Carried.message(context, message);
    }

    // ---------------------------------------------------------------- counts

    ActorCounts counts() {
        return counts;
    }

    /** Reports an overdraft; {@code first} is true for the first of this group. */
    void overdrawn(Overdraft overdraft, boolean first) {
        pool.host().overdraft(overdraft.describePath(), overdraft.messages());
        if (first) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "actors waited for room in each other's mailboxes, and messages were accepted over the bound: "
                            + overdraft.describePath() + ". Further overdrafts of this group are counted, not logged");
        }
    }

    Stats stats() {
        synchronized (lock) {
            long handled = handledByEnded;
            long superseded = counts.superseded.sum();
            long pending = 0;
            int running = 0;
            for (ActorBase actor = first; actor != null; actor = actor.next) {
                handled += actor.handled();
                superseded += actor.superseded();
                pending += actor.estimatedDepth();
                running += actor.running();
            }
            return counts.stats(
                    pool.name(), handled, superseded, pending, running, Integer.MAX_VALUE, Integer.MAX_VALUE);
        }
    }

    @Override
    public String toString() {
        return "actors of " + spindle;
    }
}
