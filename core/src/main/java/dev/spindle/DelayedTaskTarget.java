// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Pool;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.timer.Timers;
import org.jspecify.annotations.Nullable;

/** The destination of a delayed task: the pool, the lane of a key, or a strand. */
final class DelayedTaskTarget implements DelayedTask.Target {
    private final Spindle spindle;
    private final Pool pool;
    private final Timers timers;
    private final Lanes lanes;
    private final @Nullable Strand strand;
    private final @Nullable Object key;
    private final boolean coalesces;

    DelayedTaskTarget(
            Spindle spindle,
            Pool pool,
            Timers timers,
            Lanes lanes,
            @Nullable Strand strand,
            @Nullable Object key,
            boolean coalesces) {
        this.spindle = spindle;
        this.pool = pool;
        this.timers = timers;
        this.lanes = lanes;
        this.strand = strand;
        this.key = key;
        this.coalesces = coalesces;
    }

    void began() {
        spindle.delayedBegan();
        if (strand != null) {
            strand.delayedBegan();
        }
    }

    @Override
    public void ended() {
        if (strand != null) {
            strand.delayedEnded();
        }
        spindle.delayedEnded();
    }

    /** Only into a lane that is there: to make one, or to supersede a task, calls code of users. */
    @Override
    public boolean submitAtOnce(DelayedTask<?> task) {
        if (key == null) {
            spindle.executeDue(task);
            return true;
        }
        LaneHandle handle = task.lane();
        LaneCore lane = coalesces || handle == null ? null : handle.known();
        return lane != null && lane.push(task.carried()); // a shutdown sees it, and closes it
    }

    @Override
    public void submitDue(DelayedTask<?> task) {
        try {
            if (key == null) {
                spindle.executeDue(task);
            } else if (coalesces) {
                lanes.coalesceDue(key, task);
            } else {
                lanes.pushDue(key, task.carried());
            }
        } catch (Throwable t) { // code of the key's, or no memory
            task.completeExceptionally(t);
        }
    }

    @Override
    public void addTimer(DelayedTask.DueTimer dueTimer, long due) {
        timers.add(dueTimer, due, pool);
    }

    @Override
    public Timers timers() {
        return timers;
    }

    @Override
    public Timers.Group ownTimers() {
        return strand == null ? spindle.ownTimers() : strand.ownTimers();
    }

    @Override
    public boolean isOpen() {
        return spindle.isOpen() && (strand == null || !strand.isShutdown());
    }

    @Override
    public long nanoTime() {
        return pool.nanoTime();
    }
}
