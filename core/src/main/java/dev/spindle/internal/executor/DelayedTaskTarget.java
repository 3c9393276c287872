// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Headroom;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.timer.Timers;
import java.util.Objects;
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

    /** Schedules {@code user} for {@code lane}, or as a plain task. */
    static <T> DelayedTask<T> schedule(
            Spindle spindle,
            @Nullable LaneHandle lane,
            Object user,
            @Nullable T result,
            long delayNanos,
            long periodNanos) {
        Headroom.require();
        Objects.requireNonNull(user, "task");
        Object key = lane == null ? null : lane.rawKey();
        Strand strand = Lanes.strandOf(key);
        if (lane != null) {
            LaneCore unused = lane.existing(); // an exception of key code reaches the submitter, not the future
        }
        if (!spindle.isOpen() || (strand != null && strand.isShutdown())) {
            throw spindle.rejected(key, null);
        }
        spindle.lanes().requireThread(key);
        DelayedTaskTarget target = new DelayedTaskTarget(spindle, strand, key, TaskKeys.isCoalescing(user));
        if (!target.lifetime().hold()) {
            throw spindle.rejected(key, null);
        }
        DelayedTask<T> task;
        try {
            task = new DelayedTask<>(
                    spindle.pool(), lane, user, result, target, spindle.context(), delayNanos, periodNanos);
        } catch (Throwable t) { // of the context hook, or for want of memory
            target.ended();
            throw t;
        }
        if (!target.isOpen() && task.forget()) { // the shutdown missed it, and it is not due yet
            throw spindle.rejected(key, null);
        }
        return task;
    }

    private Lifetime lifetime() {
        return spindle.lanes().lifetime(strand);
    }

    @Override
    void ended() {
        lifetime().release();
    }

    /** Submits only to an existing lane: creating a lane and superseding a task call user code. */
    @Override
    boolean submitAtOnce(DelayedTask<?> task) {
        if (key == null) {
            spindle.pool().ready(task.carried());
            return true;
        }
        LaneHandle handle = task.lane();
        LaneCore lane = coalesces || handle == null ? null : handle.known();
        return lane != null && lane.push(task.carried()); // a shutdown finds the lane, and closes it
    }

    @Override
    void submitDue(DelayedTask<?> task) {
        if (key == null) {
            spindle.pool().ready(task.carried());
        } else if (coalesces) {
            lanes.coalesceDue(key, task, task.carried());
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
