// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static java.util.Objects.requireNonNull;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Durations;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Pool;
import dev.spindle.internal.executor.ContextTask;
import dev.spindle.internal.timer.Timers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * An action that a {@link Spindle} runs after a time, unless it is cancelled before. It is made for time limits, most
 * of which are cancelled: it has no future, and cancelling it creates no exception and leaves nothing in a queue.
 *
 * <pre>{@code
 * TimeLimit limit = TimeLimit.set(spindle, Duration.ofMillis(200), call::giveUp);
 * call.whenComplete((answer, failure) -> limit.cancel());
 * }</pre>
 *
 * <p><b>Thread safety.</b> Any thread may cancel a limit. Setting and cancelling take constant time and do not block.
 *
 * <p><b>Execution.</b> The action runs once, within 20 ms of its due time, even if work is queued and every worker is
 * blocked. It runs on a worker or on a thread of the spindle that runs no tasks, and does not count as a task. It
 * begins with a clear interrupt flag and, if there is a {@link ContextHook}, with the context of the thread that set
 * the limit. A throwable of the action goes to the {@link FailureHandler}. While the action blocks, later limits of the
 * spindle wait for it or for a worker.
 *
 * <p><b>Shutdown.</b> {@link Spindle#shutdown} waits for the limits that are set, as for delayed tasks.
 * {@link Spindle#shutdownNow} runs their actions at once, on its thread. An action that must tell these cases apart
 * calls {@link Spindle#isShutdown}.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it sets a limit happen-before the action of the
 * limit.
 */
public final class TimeLimit {
    private final DueTimer dueTimer;

    private TimeLimit(Spindle spindle, Runnable action) {
        dueTimer = new DueTimer(spindle, ContextTask.of(spindle.kernel().context(), action));
    }

    /**
     * Sets a limit.
     *
     * @param time the time until the action runs; a negative time counts as zero
     * @throws RejectedExecutionException after a shutdown, or if no thread exists and none can be started
     */
    public static TimeLimit set(Spindle spindle, Duration time, Runnable action) {
        Headroom.require();
        long nanos = Durations.toNanos(requireNonNull(time, "time"));
        TimeLimit limit = new TimeLimit(spindle, requireNonNull(action, "action"));
        if (!spindle.lanes().isOpen()) {
            throw spindle.lanes().refused(null, null);
        }
        spindle.lanes().requireThread(null);
        if (!spindle.lifetime().hold()) {
            throw spindle.lanes().refused(null, null);
        }
        boolean added = false;
        try {
            Pool pool = spindle.pool();
            Pool.Added as = spindle.kernel().timers().add(limit.dueTimer, pool.nanoTime() + nanos);
            added = true;
            boolean unused = pool.timerAdded(as);
        } catch (Throwable t) { // thrown by the user's clock, for example
            if (!added) {
                limit.dueTimer.forget();
            } else {
                boolean unused = limit.cancel();
            }
            throw t;
        }
        if (!spindle.lanes().isOpen() && limit.cancel()) { // the shutdown may have missed it
            throw spindle.lanes().refused(null, null);
        }
        return limit;
    }

    /**
     * Cancels the limit, which then no longer references its action.
     *
     * @return false if the action has begun or is about to, or the limit was cancelled before
     */
    public boolean cancel() {
        Headroom.require();
        Spindle spindle = dueTimer.spindle;
        if (spindle == null || !spindle.kernel().timers().remove(dueTimer)) {
            return false;
        }
        dueTimer.forget();
        return true;
    }

    /** Returns a string that names the spindle, if the limit has neither acted nor been cancelled. */
    @Override
    public String toString() {
        Spindle spindle = dueTimer.spindle;
        return spindle == null ? "time limit that has ended" : "time limit of " + spindle;
    }

    /**
     * The timer that runs the action or drops it. Only the thread that has removed the timer from the others does
     * either (Timers-4, Timers-5): a cancelling thread, the worker whose turn it is, or a shutdown. The timer then
     * references neither the action nor the spindle.
     */
    static final class DueTimer extends Timers.Limit {
        private volatile @Nullable Spindle spindle;
        private @Nullable Runnable action;

        DueTimer(Spindle spindle, Runnable action) {
            super(spindle.kernel().ownTimers());
            this.spindle = spindle;
            this.action = action;
        }

        private void forget() {
            action = null; // D1
            end(requireNonNull(spindle));
        }

        private void end(Spindle own) {
            spindle = null;
            own.lifetime().release();
        }

        @Override
        protected void act() {
            run(true);
        }

        @Override
        protected boolean endsWith(boolean all) {
            return all; // A3
        }

        /** Runs the action at once, since after a {@code shutdownNow} no time passes. */
        @Override
        protected void ended(List<Runnable> to) {
            run(false);
        }

        private void run(boolean onOwnThread) {
            Runnable due = requireNonNull(action);
            Spindle own = requireNonNull(spindle);
            action = null;
            try {
                due.run();
            } catch (Throwable t) {
                boolean unused = onOwnThread && Thread.interrupted();
                own.pool().failed(null, CancellableEntry.unwrap(due), t);
            } finally {
                end(own);
            }
        }
    }
}
