// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Headroom;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import dev.spindle.internal.lane.LaneCore;
import dev.spindle.internal.timer.Timers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The destination of a delayed task: the pool, the lane of a key, or a strand. */
public final class DelayedTaskTarget extends DelayedTask.Target {
    private final Lanes lanes;
    private final Pool pool;
    private final @Nullable LaneOwner strand;
    private final Lanes.@Nullable Space space;
    private final @Nullable Object key;
    private final boolean coalesces;

    private DelayedTaskTarget(Lanes lanes, @Nullable LaneHandle lane, boolean coalesces) {
        super(lanes.pool(), lanes.kernel().timers());
        this.lanes = lanes;
        pool = lanes.pool();
        strand = lane == null ? null : lane.strand();
        space = lane == null ? null : lane.space();
        key = lane == null ? null : lane.key();
        this.coalesces = coalesces;
    }

    /** Schedules {@code user} for {@code lane}, or as a plain task if {@code lane} is null. */
    public static <T> DelayedTask<T> schedule(
            Lanes lanes, @Nullable LaneHandle lane, Object user, long delayNanos, long periodNanos) {
        Headroom.require();
        Objects.requireNonNull(user, "task");
        if (lane != null) {
            LaneCore unused = lane.existing(); // calls key code now, so that its exceptions reach the submitter
        }
        if (lanes.isShut(lane)) {
            throw lanes.refused(lane, null);
        }
        lanes.requireThread(lane);
        DelayedTaskTarget target = new DelayedTaskTarget(lanes, lane, TaskKeys.isCoalescing(user));
        if (!target.lifetime().hold()) {
            throw lanes.refused(lane, null);
        }
        DelayedTask<T> task;
        try {
            task = new DelayedTask<>(
                    lane == null ? lanes.kernel().origin() : lane.origin(),
                    lane,
                    user,
                    target,
                    lanes.kernel().taskDecorator(),
                    delayNanos,
                    periodNanos);
        } catch (Throwable t) { // thrown by the task decorator, for example
            target.ended();
            throw t;
        }
        if (!target.isOpen() && task.forget()) { // the shutdown has missed the task
            throw lanes.refused(lane, null);
        }
        return task;
    }

    private Lifetime lifetime() {
        return lanes.lifetime(strand);
    }

    @Override
    public void ended() {
        lifetime().release();
    }

    /**
     * Submits a plain task, or a task of a lane that exists and is found without a call of key code. Returns false for
     * a coalescing task and for any other lane, since these submits would call user code.
     */
    @Override
    public boolean submitAtOnce(DelayedTask<?> task) {
        if (key == null) {
            pool.ready(task.carried());
            return true;
        }
        LaneHandle handle = task.lane();
        LaneCore lane = coalesces || handle == null ? null : handle.known();
        // U1
        return lane != null && lane.push(task.carried());
    }

    @Override
    public void submitDue(DelayedTask<?> task) {
        if (space == null || key == null) {
            pool.ready(task.carried());
        } else if (coalesces) {
            lanes.coalesceDue(space.lane(key), task.submission(task.carried()));
        } else {
            lanes.pushDue(space.lane(key), task.carried());
        }
    }

    @Override
    public Timers.Group ownTimers() {
        return strand == null ? lanes.kernel().ownTimers() : strand.timers();
    }

    @Override
    public boolean isOpen() {
        return !lanes.refuses(strand);
    }
}
