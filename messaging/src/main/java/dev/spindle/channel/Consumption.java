// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import dev.spindle.Strand;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolLookup;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.HandedContext;
import dev.spindle.messaging.Headroom;
import dev.spindle.messaging.OwnTasks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands the values of a channel to a handler, on a strand, one after the other. */
final class Consumption<T> implements Lifetime.Part {
    /*
     * Consumption-1  There is one turn at a time, on the strand or on its way there, or one wait in the channel. A wait
     *     that gets a value hands it to the strand with a turn; if the strand takes no more, the value goes back into
     *     the channel.
     * Consumption-2  After a shutdown this takes the values that were there at that time, and those that workers of the
     *     pool send. When there is none, and the strand itself was shut down, it ends. If its spindle was, it waits,
     *     without holding that, until all else has ended (Lifetime-4): what still runs may send. It writes `waiting`
     *     and then reads the state of the lifetime; a shutdown does it the other way round (Lifetime-2).
     */

    /** How many values a turn handles, unless its time is up before, until other tasks of the strand come. */
    private static final int QUANTUM = WorkerContext.QUANTUM;

    private final ChannelCore<T> core;
    private final Strand strand;
    private final Pool pool;
    private final Consumer<? super T> handler;
    private final End end = new End();
    private final Lifetime lifetime;
    private final Runnable lastCall = this::endIfIdle;
    private volatile @Nullable Runnable listener;
    private volatile @Nullable Wait waiting;
    private volatile boolean counted; // what is due, after a shutdown

    Consumption(ChannelCore<T> core, Strand strand, Consumer<? super T> handler) {
        this.core = core;
        this.strand = strand;
        pool = PoolLookup.of(strand);
        this.handler = HandedContext.<T>with(pool, handler);
        lifetime = PoolLookup.lifetime(strand);
    }

    CompletableFuture<@Nullable Void> start() {
        if (lifetime.isShut()) {
            throw rejected(); // though what goes on with accepted work may still be
        }
        core.add(this, pool.waits());
        try {
            listener = lifetime.listenWeakly(this);
            strand.execute(new Turn<>(this, null));
        } catch (Throwable t) { // rejected, or no memory
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

    /** Returns the strand on which values are handled. */
    Strand strand() {
        return strand;
    }

    /** Ends the wait for the next value, if that is what goes on. */
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
            OwnTasks.run(pool, lifetime, own -> end.finish(rejected()));
        }
    }

    /** Returns whether what still runs on the spindle may send nothing more to this: see Consumption-2. */
    private boolean endsAtOnce() {
        return lifetime.isHalted() || lifetime.isShutItself();
    }

    private void countDue() {
        if (!counted) {
            counted = true;
            core.countDue(pool);
        }
    }

    /** Ends this if it waits for a value. */
    private void endIfIdle() {
        Wait open = waiting;
        if (open != null && open.withdraw()) {
            end.finish(rejected());
        }
    }

    private RejectedExecutionException rejected() {
        return new RejectedExecutionException(strand + " is shut down and handles no more values of " + core);
    }

    // ---------------------------------------------------------------- turns

    /** Handles {@code first}, if any, and what comes after it. */
    private void run(Turn<T> turn, @Nullable T first) {
        WorkerContext worker = WorkerContext.current();
        int left = QUANTUM;
        T value = first;
        while (!end.isDone() || value != null) {
            if (value != null) {
                handle(turn, value);
                if (--left == 0 || (worker != null && isTimeUp(worker))) {
                    submit(null);
                    break;
                }
            }
            value = next();
            if (value == null) {
                break;
            }
        }
        if (worker != null && left < QUANTUM - 1) {
            worker.countSteps(QUANTUM - 1 - left);
        }
    }

    private static boolean isTimeUp(WorkerContext worker) {
        if (!worker.tick()) {
            return false;
        }
        worker.hurry(); // the lane is to read its clock as well
        return true;
    }

    private void handle(Turn<T> turn, T value) {
        clearInterrupt(); // each value begins without the interrupts of others
        try {
            handler.accept(value);
        } catch (Throwable t) {
            clearInterrupt();
            pool.failed(strand, turn, t);
        }
        clearInterrupt(); // and so does what depends on the stage of a sender, which may come next
    }

    private static void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    /** Returns the next value; null when it waits for one, or has ended. */
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

    /** Waits for the next value, unless there is one after all, which this returns. */
    private @Nullable T await() {
        Pending<T> place = begin();
        T value = core.receive(place);
        if (value == null) {
            lookAgain(place.wait);
        }
        return value;
    }

    /** The same after a shutdown (Consumption-2). */
    private @Nullable T nextDue() {
        if (lifetime.isHalted()) {
            end.finish(rejected());
            return null;
        }
        countDue();
        Pending<T> place = begin();
        T value = core.receiveDue(place, !endsAtOnce());
        if (value == null && place.parked) {
            lifetime.atEnd(lastCall);
            lookAgain(place.wait);
        } else if (value == null) {
            end.finish(rejected());
        }
        return value;
    }

    /** Ends a wait that has begun while this was ended, or shut down. */
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
        waiting = wait; // before the look at `end`, which whoever ends this does the other way round
        return place;
    }

    private void ended(ChannelClosedException closed) {
        end.finish(closed.getCause() == null ? null : closed);
    }

    /** Has the strand go on, with {@code value} if there is one. */
    private void submit(@Nullable T value) {
        try {
            strand.execute(new Turn<>(this, value));
        } catch (Throwable t) { // rejected, or no memory
            if (value != null) {
                core.giveBack(value);
            }
            end.finish(t);
        }
    }

    @Override
    public String toString() {
        return "consumer of " + core;
    }

    /** Completes when no more value is received, by whatever completes it. */
    private static final class End extends CompletableFuture<@Nullable Void> {
        /** Completes this, for a caller that has proven that there is stack left. */
        void finish(@Nullable Throwable failure) {
            boolean unused = failure == null ? super.complete(null) : super.completeExceptionally(failure);
        }

        @Override
        public boolean complete(@Nullable Void value) {
            Headroom.require(); // what has to be done then must not fail
            return super.complete(null);
        }

        @Override
        public boolean completeExceptionally(Throwable failure) {
            Headroom.require();
            return super.completeExceptionally(failure);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            Headroom.require();
            return super.cancel(mayInterruptIfRunning);
        }

        @Override
        public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }

    /** The wait for the next value. */
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
                T value = got.value;
                got.value = null; // this may be kept until the next wait
                submit(value);
            }
        }
    }

    /** A task on the strand. Runs once, or is withdrawn once. */
    private static final class Turn<T> extends InternalTask implements CancellableEntry {
        private static final VarHandle SPENT;

        static {
            try {
                SPENT = MethodHandles.lookup().findVarHandle(Turn.class, "spent", boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final Consumption<T> consumption;
        private @Nullable T value;

        @SuppressWarnings("UnusedVariable") // written through SPENT
        private volatile boolean spent;

        Turn(Consumption<T> consumption, @Nullable T value) {
            this.consumption = consumption;
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
                    consumption.run(this, first);
                } catch (Throwable t) { // of ours: no memory. Nobody would go on
                    consumption.end.finish(t);
                    throw t;
                }
            }
        }

        /** The value was accepted, and the strand has not ended. */
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
                consumption.submit(value); // refused if the strand was shut down
            }
        }

        @Override
        public String toString() {
            return consumption.toString();
        }
    }
}
