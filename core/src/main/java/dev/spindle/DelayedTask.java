// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

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

/** A task that is submitted when it is due, once or again and again. */
final class DelayedTask<T extends @Nullable Object> extends TaskFuture<T> implements RunnableScheduledFuture<T> {
    /** The executor of a delayed task, and the timers that it waits in. */
    abstract static class Target {
        private final Pool pool;
        private final Timers timers;

        Target(Pool pool, Timers timers) {
            this.pool = pool;
            this.timers = timers;
        }

        /**
         * Submits a task that is due, shutdown or not, if that calls no code of users.
         *
         * @return false if it would; nothing was done then, nor if this throws
         */
        abstract boolean submitAtOnce(DelayedTask<?> task);

        /**
         * Submits a task that is due, shutdown or not; what it throws, of the key's code or for memory, fails the task.
         */
        abstract void submitDue(DelayedTask<?> task);

        /** Adds {@code dueTimer}, to fire at {@code due}. */
        void addTimer(DueTimer dueTimer, long due) {
            boolean unused = timers.add(dueTimer, due, pool);
        }

        /** Returns a reading of the clock. */
        long nanoTime() {
            return pool.nanoTime();
        }

        /** Returns the group of the owner's timers. */
        abstract Timers.@Nullable Group ownTimers();

        /** Returns whether periodic tasks go on. */
        abstract boolean isOpen();

        /** Called once, when the task will not run any more. */
        abstract void ended();
    }

    private final long periodNanos;
    private @Nullable DueTimer dueTimer; // null when this is done: from there on the way leads to the executor
    private Runnable carried;
    private boolean ranOnce; // or runs now; ordered by the lock of the timers, if it runs again
    private long left; // the delay when it was done

    /**
     * Creates a task.
     *
     * @param context captured now, restored for each run
     * @param periodNanos 0 for one run, positive for a fixed rate, negative for a fixed delay
     */
    DelayedTask(
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
        CompletableFuture<T> unused = whenComplete((value, failure) -> endedWith(waiting)); // however it completes
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

    /** Waits for the next run; after this one has ended in every way, for the next may begin at once. */
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
        if (isDone()) {
            target.timers.remove(own); // cancelled just now
        } else if (!target.isOpen() && target.timers.remove(own)) {
            cancel(false); // the shutdown that cancels all periodic tasks may have missed this one
        }
    }

    /** Called once, when this is done: takes it back from the clock if it waits for a time. */
    private void endedWith(DueTimer waiting) {
        if (periodNanos != 0 || !ranOnce) {
            boolean unused = waiting.target.timers.remove(waiting);
        }
        ended();
        waiting.target.ended();
    }

    /** A periodic task has lost one run only, and waits for the next. */
    @Override
    void supersede() {
        if (periodNanos == 0) {
            super.supersede();
        } else {
            afterRun();
        }
    }

    @Override
    void ended() {
        super.ended();
        left = delayNanos();
        dueTimer = null;
        carried = this;
    }

    /**
     * Takes the task back from the clock and cancels it; false when it has ever run or is about to, or somebody else
     * has taken it.
     */
    boolean forget() {
        DueTimer own = dueTimer;
        return own != null && own.target.timers.remove(own) && cancel(false) && !ranOnce;
    }

    /** Returns the delay that is left, or that was when this was done. */
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
        long now = own.target.nanoTime(); // one reading for both, or what is equal would differ
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

    /** Returns what is to be submitted: this task, with its context if there is one. */
    Runnable carried() {
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
                submitted = false; // no memory: the worker that tries again has nothing else to do
            }
            if (!submitted) {
                target.timers.keep(this); // for a shutdown that takes it back
                super.fire(scheduler);
            }
        }

        @Override
        protected boolean endsWith(boolean all) {
            return all || task.isPeriodic();
        }

        @Override
        protected void ended(List<Runnable> to) {
            Runnable user = task.userTask(); // before it lets go of it
            if (task.cancel(false)) { // else its submitter has found the shutdown, and rejects it
                to.add(user);
            }
        }

        @Override
        public void turn(WorkerContext r) {
            boolean mine = target.timers.letGo(this); // else a shutdown has taken it, and gives it back
            if (mine && !task.isDone()) {
                boolean unused = Thread.interrupted(); // that other code has left: code of the key comes next
                try {
                    target.submitDue(task);
                } catch (Throwable t) {
                    task.completeExceptionally(t);
                }
            }
        }
    }
}
