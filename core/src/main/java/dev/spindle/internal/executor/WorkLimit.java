// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import static java.util.Objects.requireNonNull;

import dev.spindle.internal.HandedContext;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Pool;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.timer.Timers;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A time limit with an action for which a shutdown waits. */
public final class WorkLimit implements TimeLimit {
    private final DueTimer dueTimer;

    private WorkLimit(Lanes lanes, Runnable action) {
        dueTimer = new DueTimer(lanes, action);
    }

    /** Sets a limit, as {@link dev.spindle.internal.PoolConfig.Host#workLimit} specifies. */
    public static TimeLimit set(Lanes lanes, long nanos, Runnable action) {
        Headroom.require();
        WorkLimit limit = new WorkLimit(lanes, action);
        if (!lanes.isOpen()) {
            throw lanes.refused(null, null);
        }
        lanes.requireThread(null);
        Pool pool = lanes.pool();
        if (!pool.lifetime().hold()) {
            throw lanes.refused(null, null);
        }
        boolean added = false;
        try {
            Pool.Added as = lanes.kernel().timers().add(limit.dueTimer, pool.nanoTime() + nanos);
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
        if (!lanes.isOpen() && limit.cancel()) { // the shutdown may have missed this limit
            throw lanes.refused(null, null);
        }
        return limit;
    }

    @Override
    public boolean cancel() {
        Headroom.require();
        Lanes lanes = dueTimer.lanes;
        if (lanes == null || !lanes.kernel().timers().remove(dueTimer)) {
            return false;
        }
        dueTimer.forget();
        return true;
    }

    @Override
    public String toString() {
        Lanes lanes = dueTimer.lanes;
        return lanes == null
                ? "time limit that has ended"
                : "time limit of spindle " + lanes.pool().name();
    }

    /**
     * The timer that runs the action or drops it. Only one thread runs or drops the action, since each add of a timer
     * leads to one fire or one removal (Timers-4). Afterwards the timer references neither the action nor the spindle.
     */
    static final class DueTimer extends Timers.Limit {
        private volatile @Nullable Lanes lanes;
        private final @Nullable HandedContext context;
        private @Nullable Runnable action;

        DueTimer(Lanes lanes, Runnable action) {
            super(lanes.kernel().ownTimers());
            this.lanes = lanes;
            context = lanes.kernel().capture();
            this.action = action;
        }

        private void forget() {
            action = null; // D1
            end(requireNonNull(lanes));
        }

        private void end(Lanes own) {
            lanes = null;
            own.pool().lifetime().release();
        }

        @Override
        protected void act() {
            run(true);
        }

        @Override
        protected boolean endsWith(boolean all) {
            return all; // A3
        }

        /** Runs the action at once: a {@code shutdownNow} does not wait for the due time. */
        @Override
        protected void ended(@Nullable BiConsumer<@Nullable Object, Runnable> to) {
            run(false);
        }

        private void run(boolean onOwnThread) {
            Runnable due = requireNonNull(action);
            Lanes own = requireNonNull(lanes);
            action = null;
            try {
                HandedContext.runIn(context, due::run);
            } catch (Throwable t) {
                boolean unused = onOwnThread && Thread.interrupted();
                own.pool().failed(null, due, t);
            } finally {
                end(own);
            }
        }
    }
}
