// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.ContextHook;
import dev.spindle.internal.Pool;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.timer.Timers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.TimeUnit;
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
         * Submits a due task, even after a shutdown, if the submit calls no user code.
         *
         * @return false if the submit would call user code; then, or if this throws, nothing was done
         */
        public abstract boolean submitAtOnce(DelayedTask<?> task);

        /**
         * Submits a due task, even after a shutdown. An exception of key code, or exhausted memory, fails the task.
         */
        public abstract void submitDue(DelayedTask<?> task);

        /** Adds {@code dueTimer}, which fires at {@code due}. */
        void addTimer(DueTimer dueTimer, long due) {
            boolean unused = timers.add(dueTimer, due, pool);
        }

        /** Returns a reading of the clock. */
        long nanoTime() {
            return pool.nanoTime();
        }

        /** Returns the group of the owner's timers. */
        public abstract Timers.@Nullable Group ownTimers();

        /** Returns true if periodic tasks continue. */
        public abstract boolean isOpen();

        /** Called once, when the task will not run again. */
        public abstract void ended();
    }

    private final long periodNanos;
    private @Nullable DueTimer dueTimer; // null when this task is done, since the timer refers to the executor
    private Runnable carried;
    private boolean ranOnce; // set when a run begins; the lock of the timers orders successive runs
    private long left; // the remaining delay at the end of this task

    /**
     * Creates a task.
     *
     * @param context the context captured now, which is restored for each run
     * @param periodNanos the period: 0 for one run, positive for a fixed rate, negative for a fixed delay
     */
    public DelayedTask(
            Pool pool,
            @Nullable LaneHandle lane,
            Object user,
            @Nullable T result,
            Target target,
            @Nullable ContextHook context,
            long delayNanos,
            long periodNanos) {
        super(pool, lane, user, result);
        DueTimer waiting = new DueTimer(this, target);
        dueTimer = waiting;
        this.periodNanos = periodNanos;
        carried = context == null ? this : ContextTask.of(context, this);
        CompletableFuture<T> unused = whenComplete((value, failure) -> endedWith(waiting)); // however this task ends
        target.addTimer(waiting, target.nanoTime() + delayNanos);
    }

    @Override
    int ownDependents() {
        return 1;
    }

    @Override
    public boolean isDelayed() {
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

    /** Starts the timer of the next run. This is the last action of a run, since the next run may begin at once. */
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
            target.timers.remove(own); // cancelled concurrently
        } else if (!target.isOpen() && target.timers.remove(own)) {
            cancel(false); // the shutdown, which cancels all periodic tasks, may have missed this one
        }
    }

    /** Called once, when this task is done. Removes its timer if the timer is set. */
    private void endedWith(DueTimer waiting) {
        if (periodNanos != 0 || !ranOnce) {
            boolean unused = waiting.target.timers.remove(waiting);
        }
        ended();
        waiting.target.ended();
    }

    /** Cancels this task. A periodic task only loses this run and waits for the next. */
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
     * Removes the timer of the task and cancels the task. Returns false if it has run or is about to, or another thread
     * has removed the timer.
     */
    public boolean forget() {
        DueTimer own = dueTimer;
        return own != null && own.target.timers.remove(own) && cancel(false) && !ranOnce;
    }

    /** Returns the remaining delay, or, of a task that is done, the delay that remained at its end. */
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
        long now = own.target.nanoTime(); // one reading for both, so that equal due times compare as equal
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
                submitted = false; // a worker tries again
            }
            if (!submitted) {
                // Timers-5
                target.timers.keep(this); // so that a shutdown can remove it
                super.fire(scheduler);
            }
        }

        @Override
        protected boolean endsWith(boolean all) {
            return all || task.isPeriodic();
        }

        @Override
        protected void ended(List<Runnable> to) {
            Runnable user = task.userTask(); // before the task drops it
            if (task.cancel(false)) { // else the submitter has noticed the shutdown, and rejects the task
                to.add(user);
            }
        }

        @Override
        public void turn(WorkerContext r) {
            boolean mine = target.timers.letGo(this); // if false, a shutdown has removed this task, and returns it
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
