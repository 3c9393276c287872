// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** Shared variables; IDLE is a stack of up to three workers, TIMERS, ENTRY, AGAIN and DONE are sets of tasks. */
enum Shared {
    LOCK,
    SEARCHING,
    AWAKE,
    COMING,
    BLOCKED,
    LIMIT,
    ARMED,
    OWNER_AFFINE,
    SOLO,
    THREADS,
    EXPIRING,
    /** The number of workers that have ended because their keep-alive has passed. */
    EXPIRED,
    STOPPING,
    FINISHING,
    TERMINATED,
    /** Whether a worker has made a transition that the table of {@code WorkerState} does not have. */
    MISSTEP,
    /** The time: the timer of task i is due when it is above i. */
    NOW,
    TIMERS,
    /** {@code Timers.earliest}: a task plus one, or 0 for never. */
    EARLIEST,
    /** {@code Timers.told}: the same. */
    TOLD,
    ENTRY,
    /** The tasks that have had the first of their two turns. */
    AGAIN,
    DONE,
    IDLE0,
    IDLE1,
    IDLE2,
    IDLES
}
