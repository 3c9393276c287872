// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.PartLimit;
import dev.spindle.internal.Pool;
import dev.spindle.internal.timer.Timers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A time limit set by another part of the library on a spindle. */
final class PartTimer extends Timers.Limit implements PartLimit {
    private final Spindle spindle;
    private final boolean goesOn;
    private volatile @Nullable Runnable action; // both: taken by the thread that has removed this from the timers
    private volatile @Nullable Runnable atShutdown;

    private PartTimer(Spindle spindle, Runnable action, @Nullable Runnable atShutdown) {
        super(spindle.ownTimers());
        this.spindle = spindle;
        this.action = action;
        this.atShutdown = atShutdown;
        goesOn = atShutdown == null;
    }

    static PartLimit set(Spindle spindle, long nanos, Runnable action, @Nullable Runnable atShutdown) {
        spindle.lanes().requireThread(null);
        PartTimer limit = new PartTimer(spindle, ContextTask.of(spindle.context(), action), atShutdown);
        if (!spindle.lifetime().hold()) {
            throw spindle.rejected(null, null);
        }
        try {
            Pool pool = spindle.pool();
            boolean unused = spindle.timers().add(limit, pool.nanoTime() + nanos, pool);
        } finally {
            spindle.lifetime().release();
        }
        boolean ends = spindle.pool().isHalted() || (atShutdown != null && spindle.isShutdown());
        if (ends && spindle.timers().remove(limit)) {
            limit.end(); // the shutdown may have missed it
        }
        return limit;
    }

    @Override
    public boolean cancel() {
        if (!spindle.timers().remove(this)) {
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
    protected void ended(List<Runnable> to) {
        end();
    }

    private void end() {
        run(goesOn ? action : atShutdown);
    }

    @Override
    protected void act() {
        boolean held = spindle.lifetime().hold();
        try {
            run(action);
        } finally {
            if (held) {
                spindle.lifetime().release();
            }
        }
    }

    private void run(@Nullable Runnable due) {
        forget();
        if (due == null) {
            return;
        }
        try {
            due.run();
        } catch (Throwable t) {
            spindle.pool().failed(null, CancellableEntry.unwrap(due), t);
        }
    }
}
