// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.HandedContext;
import dev.spindle.internal.Pool;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.timer.Timers;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A time limit for another part of the library. The limit does not delay the termination of the spindle. */
public final class PartTimer extends Timers.Limit implements TimeLimit {
    private final ExecutorKernel kernel;
    private final @Nullable HandedContext context;
    private final boolean goesOn;
    private volatile @Nullable Runnable action;
    private volatile @Nullable Runnable atShutdown;

    private PartTimer(ExecutorKernel kernel, Runnable action, @Nullable Runnable atShutdown) {
        super(kernel.ownTimers());
        this.kernel = kernel;
        context = kernel.capture();
        this.action = action;
        this.atShutdown = atShutdown;
        goesOn = atShutdown == null;
    }

    /** Sets a limit, as {@link dev.spindle.internal.PoolConfig.Host#limit} specifies. */
    public static TimeLimit set(Lanes lanes, long nanos, Runnable action, @Nullable Runnable atShutdown) {
        lanes.requireThread(null);
        ExecutorKernel kernel = lanes.kernel();
        PartTimer limit = new PartTimer(kernel, action, atShutdown);
        Pool pool = kernel.pool();
        if (!pool.lifetime().hold()) {
            throw lanes.refused(null, null);
        }
        try {
            boolean unused = kernel.timers().add(limit, pool.nanoTime() + nanos, pool);
        } finally {
            pool.lifetime().release();
        }
        boolean ends = pool.isHalted() || (atShutdown != null && !lanes.isOpen());
        if (ends && kernel.timers().remove(limit)) {
            limit.end(); // the shutdown may have missed this timer
        }
        return limit;
    }

    @Override
    public boolean cancel() {
        if (!kernel.timers().remove(this)) {
            return false;
        }
        forget();
        return true;
    }

    private void forget() {
        action = null;
        atShutdown = null;
    }

    @Override
    protected boolean endsWith(boolean all) {
        return all || !goesOn;
    }

    @Override
    protected void ended(@Nullable BiConsumer<@Nullable Object, Runnable> to) {
        end();
    }

    private void end() {
        if (goesOn) {
            run(action, context);
        } else {
            run(atShutdown, null);
        }
    }

    @Override
    protected void act() {
        boolean held = kernel.pool().lifetime().hold();
        try {
            run(action, context);
        } finally {
            if (held) {
                kernel.pool().lifetime().release();
            }
        }
    }

    private void run(@Nullable Runnable due, @Nullable HandedContext in) {
        forget();
        if (due == null) {
            return;
        }
        try {
            HandedContext.runIn(in, due::run);
        } catch (Throwable t) {
            kernel.pool().failed(null, due, t);
        }
    }
}
