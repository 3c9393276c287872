// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

/** The operation of a step, which submits a task or acts on a lane. */
enum Op {
    PLAIN(Where.POOL, Handle.NONE),
    PLAIN_FUTURE(Where.POOL, Handle.FUTURE),
    PLAIN_CALL(Where.POOL, Handle.FUTURE),
    PLAIN_DELAYED(Where.POOL, Handle.FUTURE),

    /** A task submitted to the handle of a lane. */
    LANE(Where.LANE, Handle.NONE),
    /** A task submitted by key, or by the handle of a strand, which has no key. */
    LANE_BY_KEY(Where.LANE, Handle.NONE),
    /** A task with a {@code key()} that is submitted to the pool. */
    LANE_TAGGED(Where.LANE, Handle.NONE),
    LANE_FUTURE(Where.LANE, Handle.FUTURE),
    LANE_CALL(Where.LANE, Handle.FUTURE),
    LANE_ASYNC(Where.LANE, Handle.FUTURE),
    LANE_DELAYED(Where.LANE, Handle.FUTURE),
    /** A task that runs at a fixed rate, and throws at its last run. */
    LANE_AT_RATE(Where.LANE, Handle.FUTURE),
    /** A task that runs with a fixed delay, and throws at its last run. */
    LANE_WITH_DELAY(Where.LANE, Handle.FUTURE),
    COALESCE(Where.LANE, Handle.SUBMISSION),
    /** A coalescing task in a second slot. */
    COALESCE_OTHER(Where.LANE, Handle.SUBMISSION),

    /** A task of a logical executor. */
    VIEW(Where.VIEW, Handle.NONE),
    VIEW_FUTURE(Where.VIEW, Handle.FUTURE),
    VIEW_DELAYED(Where.VIEW, Handle.FUTURE),

    /** Pauses a lane, takes the inner steps, and resumes the lane. */
    PAUSE(Where.LANE, Handle.NO_TASK),
    CANCEL_PENDING(Where.LANE, Handle.NO_TASK),
    QUIESCE(Where.LANE, Handle.NO_TASK),
    /** Waits for some time without submitting. */
    GAP(Where.POOL, Handle.NO_TASK);

    /** The kinds of executors that a step uses. */
    enum Where {
        POOL,
        LANE,
        VIEW
    }

    private enum Handle {
        NO_TASK,
        NONE,
        FUTURE,
        SUBMISSION
    }

    private final Where where;
    private final Handle handle;

    Op(Where where, Handle handle) {
        this.where = where;
        this.handle = handle;
    }

    Where where() {
        return where;
    }

    boolean isTask() {
        return handle != Handle.NO_TASK;
    }

    boolean hasFuture() {
        return handle == Handle.FUTURE;
    }

    boolean isCoalescing() {
        return handle == Handle.SUBMISSION;
    }

    /** Returns true if the task is accepted some time before it is enqueued. */
    boolean isDelayed() {
        return this == PLAIN_DELAYED || this == LANE_DELAYED || this == VIEW_DELAYED || isPeriodic();
    }

    boolean isPeriodic() {
        return this == LANE_AT_RATE || this == LANE_WITH_DELAY;
    }

    /** Returns true if the future's value is the number of the task. */
    boolean givesNumber() {
        return this == PLAIN_CALL || this == LANE_CALL || this == LANE_ASYNC;
    }

    /** Returns the simplest operation of the same kind. */
    Op plainest() {
        return switch (this) {
            case PLAIN_CALL, PLAIN_DELAYED -> PLAIN_FUTURE;
            case PLAIN_FUTURE, VIEW -> PLAIN;
            case LANE_BY_KEY, LANE_TAGGED, LANE_FUTURE -> LANE;
            case LANE_CALL, LANE_ASYNC, LANE_DELAYED -> LANE_FUTURE;
            case LANE_AT_RATE, LANE_WITH_DELAY -> LANE_DELAYED;
            case COALESCE_OTHER -> COALESCE;
            case VIEW_FUTURE, VIEW_DELAYED -> VIEW;
            case PLAIN, LANE, COALESCE, PAUSE, CANCEL_PENDING, QUIESCE, GAP -> this;
        };
    }
}
