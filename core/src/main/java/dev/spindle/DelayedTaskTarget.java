// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.timer.Timers;
import org.jspecify.annotations.Nullable;

/** The destination of a delayed task: the pool, the lane of a key, or a strand. */
final class DelayedTaskTarget extends DelayedTask.Target {
    private final Spindle spindle;
    private final Lanes lanes;
    private final @Nullable Strand strand;
    private final @Nullable Object key;
    private final boolean coalesces;

    DelayedTaskTarget(Spindle spindle, @Nullable Strand strand, @Nullable Object key, boolean coalesces) {
        super(spindle.pool(), spindle.timers());
        this.spindle = spindle;
        lanes = spindle.lanes();
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
    void ended() {
        if (strand != null) {
            strand.delayedEnded();
        }
        spindle.delayedEnded();
    }

    /** Only into a lane that is there: to make one, or to supersede a task, calls code of users. */
    @Override
    boolean submitAtOnce(DelayedTask<?> task) {
        if (key == null) {
            spindle.pool().ready(task.carried());
            return true;
        }
        LaneHandle handle = task.lane();
        LaneCore lane = coalesces || handle == null ? null : handle.known();
        return lane != null && lane.push(task.carried()); // a shutdown sees it, and closes it
    }

    @Override
    void submitDue(DelayedTask<?> task) {
        if (key == null) {
            spindle.pool().ready(task.carried());
        } else if (coalesces) {
            lanes.coalesceDue(key, task);
        } else {
            lanes.pushDue(key, task.carried());
        }
    }

    @Override
    Timers.Group ownTimers() {
        return strand == null ? spindle.ownTimers() : strand.ownTimers();
    }

    @Override
    boolean isOpen() {
        return spindle.isOpen() && (strand == null || !strand.isShutdown());
    }
}
