// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.Activity;
import dev.spindle.Lane;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.MessageTask;
import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.OwnTasks;
import dev.spindle.messaging.StackCheckedFuture;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A consumer, which passes the values of a channel to a handler on a lane. */
final class ChannelConsumer<T> implements Lifetime.Part {
    /*
     * ChannelConsumer-1  A consumer that has not ended has either one turn, running or queued on the lane, or one wait
     *     in the channel. A wait that receives a value submits a turn with the value; if the lane rejects the turn, the
     *     value returns to the channel.
     * ChannelConsumer-2  After a shutdown a consumer takes only the values that the channel had at the shutdown and the
     *     values that workers of the pool send. After a shutdown of its strand the consumer then ends; after a shutdown
     *     of the spindle it waits until all other work has ended (Lifetime-4).
     *
     * ChannelConsumer-3  `waiting` is a wait that was parked, so a shutdown or a completed `end` withdraws no wait of a
     *     consumer that handles a value.
     *
     * A shutdown finds each wait: a consumer parks it, writes `waiting`, and then reads the state of the lifetime and
     * `end`; a shutdown writes this state, or `end` is completed, before the same thread reads `waiting` (Lifetime-2).
     *
     * Tests: ChannelOnSpindleTest (ChannelConsumer-1, ChannelConsumer-3), ShutdownOfModelsTest (ChannelConsumer-2).
     */
    private final ChannelCore<T> core;
    private final Lane lane;
    private final Pool pool;
    private final Handling<T> handler;
    private final StackCheckedFuture<@Nullable Void> end = new StackCheckedFuture<>();
    private final Lifetime lifetime;
    private final Runnable lastCall = this::endIfIdle;
    private volatile @Nullable Runnable listener;
    private volatile @Nullable Wait waiting;
    private boolean handling; // true while user code runs; other threads read it without order
    private volatile boolean counted; // true after a shutdown, once the channel has counted the values still to handle

    /** A step that handles a value, and possibly more values of the channel, and returns the number of values. */
    private interface Handling<T> {
        int handle(T value);
    }

    private ChannelConsumer(ChannelCore<T> core, Lane lane, Pool pool, Handling<T> handler) {
        this.core = core;
        this.lane = lane;
        this.pool = pool;
        this.handler = handler;
        lifetime = Pool.lifetimeOf(lane);
    }

    static <T> ChannelConsumer<T> each(ChannelCore<T> core, Lane lane, Consumer<? super T> handler) {
        Pool pool = Pool.of(lane);
        Consumer<? super T> inContext = HandedContext.<T>with(pool, handler);
        return new ChannelConsumer<>(core, lane, pool, value -> {
            inContext.accept(value);
            return 1;
        });
    }

    static <T> ChannelConsumer<T> batches(
            ChannelCore<T> core, Lane lane, int maxBatch, Consumer<? super List<T>> handler) {
        Pool pool = Pool.of(lane);
        Lifetime lifetime = Pool.lifetimeOf(lane);
        Consumer<? super List<T>> inContext = HandedContext.<List<T>>with(pool, handler);
        return new ChannelConsumer<>(core, lane, pool, value -> {
            List<T> batch = new ArrayList<>();
            batch.add(value);
            if (maxBatch > 1 && !lifetime.isShut()) { // after a shutdown, values are received and counted one by one
                int unused = core.drainTo(batch, maxBatch - 1);
            }
            int size = batch.size();
            inContext.accept(batch);
            return size;
        });
    }

    CompletableFuture<@Nullable Void> start() {
        if (lifetime.isShut()) {
            throw rejected(); // even if the caller is a task of the lane, from which the lane would accept a turn
        }
        core.add(this, pool.parts());
        try {
            listener = lifetime.listenWeakly(this);
            lane.execute(new Turn<>(this, null));
        } catch (Throwable t) { // for example, the lane has rejected the turn
            leave();
            throw t;
        }
        CompletableFuture<?> unused = end.whenComplete((done, failure) -> stop());
        return end;
    }

    private void leave() {
        core.remove(this);
        Runnable of = listener;
        if (of != null) {
            lifetime.forget(of);
        }
        if (lifetime.isShut()) {
            lifetime.forgetEnd(lastCall);
        }
    }

    /** Returns the lane on which values are handled. */
    Lane lane() {
        return lane;
    }

    /** Returns the activity of the lane if it handles a value now. */
    List<Activity> running() {
        Activity now = lane.activity();
        return handling && now.runningFor() != null ? List.of(now) : List.of();
    }

    /** Removes this consumer from the channel and withdraws its wait for the next value, if there is one. */
    private void stop() {
        leave();
        Wait open = waiting;
        if (open != null) {
            boolean unused = open.withdraw();
            waiting = null;
        }
    }

    // ---------------------------------------------------------------- shutdown

    @Override
    public void shut() {
        if (end.isDone()) {
            return;
        }
        countDue();
        if (!endsAtOnce()) {
            lifetime.atEnd(lastCall);
            return;
        }
        Wait open = waiting;
        if (open != null && open.withdraw()) {
            OwnTasks.run(pool, lifetime, own -> end.fail(rejected()));
        }
    }

    /** Returns true if this consumer ends without waiting for tasks that may still send (ChannelConsumer-2). */
    private boolean endsAtOnce() {
        return lifetime.isHalted() || lifetime.isShutItself();
    }

    private void countDue() {
        if (!counted) {
            counted = true;
            core.countDue(pool);
        }
    }

    /** Ends this consumer if it waits for a value. */
    private void endIfIdle() {
        Wait open = waiting;
        if (open != null && open.withdraw()) {
            end.fail(rejected());
        }
    }

    private RejectedExecutionException rejected() {
        return new RejectedExecutionException(lane + " is shut down and handles no more values of " + core);
    }

    // ---------------------------------------------------------------- turns

    /** Handles {@code first}, unless it is null, and then values of the channel. */
    private void run(Turn<T> turn, @Nullable T first) {
        WorkerContext worker = WorkerContext.current();
        int left = WorkerContext.QUANTUM;
        T value = first;
        while (!end.isDone() || value != null) {
            if (value != null) {
                left -= handle(turn, value);
                if (left <= 0 || (worker != null && isTimeUp(worker))) {
                    submit(null); // ChannelConsumer-1
                    break;
                }
            }
            value = next();
            if (value == null) {
                break;
            }
        }
        if (worker != null && left < WorkerContext.QUANTUM - 1) {
            worker.countSteps(WorkerContext.QUANTUM - 1 - left);
        }
    }

    private static boolean isTimeUp(WorkerContext worker) {
        if (!worker.tick()) {
            return false;
        }
        worker.hurry(); // the lane then reads the clock and ends its turn
        return true;
    }

    private int handle(Turn<T> turn, T value) {
        int handled = 1;
        clearInterrupt(); // the handler must not see an interrupt of other code
        handling = true;
        try {
            handled = handler.handle(value);
        } catch (Throwable t) {
            clearInterrupt();
            WorkerContext worker = WorkerContext.current();
            pool.failed(worker == null ? this : worker.turn(), turn, t);
        }
        handling = false;
        clearInterrupt(); // dependents of a sender's future may run next, and must not see the handler's interrupt
        return handled;
    }

    private static void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    /** Returns the next value; null if this consumer waits for a value or has ended. */
    private @Nullable T next() {
        if (end.isDone()) {
            return null;
        }
        try {
            if (lifetime.isShut()) {
                return nextDue();
            }
            T value = core.receive(null);
            return value != null ? value : await();
        } catch (ChannelClosedException e) {
            ended(e);
            return null;
        }
    }

    /** Receives the next value. If there is none, parks a wait for it and returns null. */
    private @Nullable T await() {
        Pending<T> place = begin();
        T value = core.receive(place); // ChannelConsumer-3
        if (value == null) {
            waiting = place.wait;
            lookAgain(place.wait);
        }
        return value;
    }

    /** Does what {@link #next} does, after a shutdown (ChannelConsumer-2). */
    private @Nullable T nextDue() {
        if (lifetime.isHalted()) {
            end.fail(rejected());
            return null;
        }
        countDue();
        Pending<T> place = begin();
        T value = core.receiveDue(place, !endsAtOnce()); // ChannelConsumer-2
        if (value == null && place.parked) {
            waiting = place.wait;
            lifetime.atEnd(lastCall);
            lookAgain(place.wait);
        } else if (value == null) {
            end.fail(rejected());
        }
        return value;
    }

    /**
     * Withdraws the wait, which was just parked and published in {@code waiting}, if this consumer has ended or
     * endsAtOnce() is true.
     */
    private void lookAgain(Wait wait) {
        if (end.isDone()) {
            leave();
            boolean unused = wait.withdraw();
        } else if (endsAtOnce()) {
            endIfIdle();
        }
    }

    private Pending<T> begin() {
        Next wait = new Next();
        Pending<T> place = Pending.receive(core, wait);
        wait.place = place;
        return place;
    }

    private void ended(ChannelClosedException closed) {
        if (closed.getCause() == null) {
            end.succeed(null);
        } else {
            end.fail(closed);
        }
    }

    /** Submits a turn, with {@code value} unless it is null. */
    private void submit(@Nullable T value) {
        try {
            lane.execute(new Turn<>(this, value));
        } catch (Throwable t) { // for example, the lane has rejected the turn
            if (value != null && !core.giveBack(value)) { // F3
                pool.failed(this, new MessageTask(value, this), rejected()); // the halt has reported the other values
            }
            end.fail(t);
        }
    }

    @Override
    public String toString() {
        return "consumer of " + core;
    }

    /** A wait for the next value. */
    private final class Next extends Wait {
        @Nullable
        Pending<T> place;

        @Override
        void call() {
            Pending<T> got = place;
            if (got == null) {
                return;
            }
            if (got.closed) {
                ended(core.closedException());
            } else {
                T value = got.received();
                got.value = null; // `waiting` still refers to this wait, and must not retain the value
                submit(value);
            }
        }
    }

    /** A task on the lane that either runs or is withdrawn. */
    private static final class Turn<T> extends InternalTask implements CancellableEntry {
        private static final VarHandle SPENT;

        static {
            try {
                SPENT = MethodHandles.lookup().findVarHandle(Turn.class, "spent", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final ChannelConsumer<T> consumer;
        private @Nullable T value;

        @SuppressWarnings("UnusedVariable") // written through SPENT
        private volatile boolean spent;

        Turn(ChannelConsumer<T> consumer, @Nullable T value) {
            this.consumer = consumer;
            this.value = value;
        }

        private boolean spend() {
            return SPENT.compareAndSet(this, false, true);
        }

        @Override
        public void run() {
            if (spend()) {
                T first = value;
                value = null;
                try {
                    consumer.run(this, first);
                } catch (Throwable t) { // a failure of the library, after which the consumer has no further turn
                    consumer.end.fail(t);
                    throw t;
                }
            }
        }

        /** Returns true, so that a lane that was shut down and has not ended accepts the turn. */
        @Override
        public boolean goesOn() {
            return true;
        }

        @Override
        public Runnable userTask() {
            return this;
        }

        @Override
        public void withdrawn() {
            if (spend()) {
                consumer.submit(value); // if the lane rejects the turn, the value returns to the channel
            }
        }

        @Override
        public String toString() {
            return consumer.toString();
        }
    }
}
