// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Pool;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.stage.Origin;
import dev.spindle.internal.timer.Timers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A task that is submitted when it is due, once or periodically. */
public final class DelayedTask<T extends @Nullable Object> extends TaskFuture<T> implements RunnableScheduledFuture<T> {
    /** The executor of a delayed task, and the timers in which the task waits. */
    public abstract static class Target {
        private final Pool pool;
        private final Timers timers;

        /** Creates a target whose tasks wait in {@code timers}. */
        protected Target(Pool pool, Timers timers) {
            this.pool = pool;
            this.timers = timers;
        }

        /**
         * Submits a due task, even after a shutdown, unless the submit would call user code. If this throws, the task
         * was not submitted.
         *
         * @return false if the task was not submitted
         */
        public abstract boolean submitAtOnce(DelayedTask<?> task);

        /** Submits a due task, even after a shutdown. If this throws, the caller completes the task exceptionally. */
        public abstract void submitDue(DelayedTask<?> task);

        void addTimer(DueTimer dueTimer, long due) {
            boolean unused = timers.add(dueTimer, due, pool);
        }

        long nanoTime() {
            return pool.nanoTime();
        }

        /** Returns the group of the executor's timers, or null for no group. */
        public abstract Timers.@Nullable Group ownTimers();

        /** Returns true unless the executor was shut down; a shutdown ends periodic tasks. */
        public abstract boolean isOpen();

        /** Called once, when the task is done. */
        public abstract void ended();

        /** Returns the owner of a task without a lane, or null for a plain task of the spindle. */
        protected @Nullable Object owner() {
            return null;
        }
    }

    private final long periodNanos;
    private @Nullable DueTimer dueTimer; // null when this task is done, since the timer refers to the executor
    private Runnable carried;
    private boolean ranOnce; // true once a run has begun
    private long left; // the delay that remained when this task completed

    /**
     * Creates a task.
     *
     * @param decorator the task decorator, which is called now, or null
     * @param periodNanos the period: 0 for one run, positive for a fixed rate, negative for a fixed delay
     */
    public DelayedTask(
            Origin origin,
            @Nullable LaneHandle lane,
            Object user,
            Target target,
            @Nullable UnaryOperator<Runnable> decorator,
            long delayNanos,
            long periodNanos) {
        super(origin, lane, user);
        DueTimer waiting = new DueTimer(this, target);
        this.periodNanos = periodNanos;
        carried = decorator == null ? this : ContextTask.of(decorator, this);
        CompletableFuture<T> unused = whenComplete((value, failure) -> endedWith(waiting));
        dueTimer = waiting;
        target.addTimer(waiting, target.nanoTime() + delayNanos);
    }

    /** Returns a plain stage for the constructor, whose stage needs no order. */
    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return dueTimer == null && !isDone() ? new CompletableFuture<>() : super.newIncompleteFuture();
    }

    @Override
    int ownDependents() {
        return 1;
    }

    @Override
    public boolean isExempt() {
        return true;
    }

    @Override
    public boolean isPeriodic() {
        return periodNanos != 0;
    }

    @Override
    @Nullable
    Object work() throws Exception {
        ranOnce = true;
        return super.work();
    }

    @Override
    void worked(@Nullable Object given) {
        if (!runsAgain()) {
            super.worked(given);
        }
    }

    @Override
    boolean runsAgain() {
        return periodNanos != 0;
    }

    /**
     * Starts the timer of the next run of a periodic task that is not done, or cancels the task after a shutdown. This
     * is the last action of a run, since the next run may begin at once.
     */
    @Override
    void afterRun() {
        DueTimer own = dueTimer;
        if (periodNanos == 0 || own == null || isDone()) {
            return;
        }
        Target target = own.target;
        if (!target.isOpen()) {
            cancel(false);
            return;
        }
        target.addTimer(own, periodNanos > 0 ? own.due() + periodNanos : target.nanoTime() - periodNanos);
        if (isDone()) { // Timers-4
            target.timers.remove(own); // completed after the check above
        } else if (!target.isOpen() && target.timers.remove(own)) {
            cancel(false); // the shutdown, which cancels all periodic tasks, may have missed this task
        }
    }

    /** Called once, when this task is done. */
    private void endedWith(DueTimer waiting) {
        if (periodNanos != 0 || !ranOnce) {
            boolean unused = waiting.target.timers.remove(waiting);
        }
        ended();
        waiting.target.ended();
    }

    /** Cancels a task that runs once. A periodic task skips this run and waits for its next run. */
    @Override
    void supersede() {
        if (periodNanos == 0) { // A2
            super.supersede();
        } else {
            afterRun();
        }
    }

    @Override
    void ended() {
        super.ended();
        left = delayNanos();
        dueTimer = null; // U3
        carried = this;
    }

    /**
     * Removes the timer of the task and cancels the task. Returns false if the task is done, if a run has begun, or
     * if the timer has fired or was removed before.
     */
    public boolean forget() {
        DueTimer own = dueTimer;
        return own != null && own.target.timers.remove(own) && cancel(false) && !ranOnce;
    }

    /** Returns the remaining delay; for a task that is done, the delay that remained when it completed. */
    @Override
    public long getDelay(TimeUnit unit) {
        return unit.convert(delayNanos(), TimeUnit.NANOSECONDS);
    }

    private long delayNanos() {
        DueTimer own = dueTimer;
        return own == null ? left : own.due() - own.target.nanoTime();
    }

    @Override
    public int compareTo(Delayed other) {
        DueTimer own = dueTimer;
        DueTimer others = other instanceof DelayedTask<?> task ? task.dueTimer : null;
        if (own == null || others == null) {
            return Long.compare(delayNanos(), other.getDelay(TimeUnit.NANOSECONDS));
        }
        long now = own.target.nanoTime(); // one reading for both, so that equal due times give equal delays
        return Long.compare(own.due() - now, others.due() - now);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** Returns the task to submit: this task, with its context if there is one. */
    public Runnable carried() {
        return carried;
    }

    /** The timer that submits the task. */
    static final class DueTimer extends Timers.Timer {
        private final DelayedTask<?> task;
        private final Target target;

        DueTimer(DelayedTask<?> task, Target target) {
            super(target.ownTimers());
            this.task = task;
            this.target = target;
        }

        @Override
        protected void fire(Scheduler scheduler) {
            boolean submitted = task.isDone();
            try {
                submitted = submitted || target.submitAtOnce(task);
            } catch (Throwable t) {
                submitted = false; // the turn of this timer tries again
            }
            if (!submitted) {
                // Timers-5
                target.timers.keep(this); // so that a shutdown finds this timer
                super.fire(scheduler);
            }
        }

        @Override
        protected boolean endsWith(boolean all) {
            return all || task.isPeriodic();
        }

        @Override
        protected void ended(@Nullable BiConsumer<@Nullable Object, Runnable> to) {
            Runnable user = task.userTask(); // before cancel() clears it
            LaneHandle lane = task.lane(); // likewise
            // if false, a caller or the rejecting submitter has completed the task
            if (task.cancel(false) && to != null) {
                to.accept(lane == null ? target.owner() : lane, user);
            }
        }

        @Override
        public void turn(WorkerContext r) {
            boolean mine = target.timers.letGo(this); // if false, a shutdown has removed the timer
            if (mine && !task.isDone()) {
                boolean unused = Thread.interrupted(); // clears an interrupt of earlier code, since key code runs next
                try {
                    target.submitDue(task);
                } catch (Throwable t) {
                    task.completeExceptionally(t);
                }
            }
        }
    }
}
