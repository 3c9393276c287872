// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** The variables of each thread: its place, its return places and its locals; then those of workers. */
enum Own {
    PC,
    RETURN,
    RETURN2,
    RETURN3,
    RETURN4,
    BOUND,
    SEEN,
    /** The worker that this thread wakes, or starts. */
    TARGET,
    /** The task that it runs, fires or has just submitted, plus one. */
    TASK,
    /** A producer's next action. */
    NEXT,
    /** Only for a mutant: the task that is published after the signal, plus one. */
    LATE,
    /** The state of a worker; the first one if there is no worker. */
    STATE,
    /** Whether the thread is virtual, and whether it has just come. */
    VIRTUAL,
    CAME,
    PERMIT,
    RING,
    /** Whether the worker has left an entry to another worker, and looks for other entries. */
    LEFT,
    MORE,
    /** Whether the clock thread has seen that the watch is on, and the time until which it sleeps, or 0. */
    LOOKS,
    UNTIL
}
