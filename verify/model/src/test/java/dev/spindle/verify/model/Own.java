// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** What each thread has: where it is, where it returns to, what it holds; then what belongs to workers. */
enum Own {
    PC,
    RETURN,
    RETURN2,
    RETURN3,
    RETURN4,
    BOUND,
    SEEN,
    WHO,
    /** The task that it runs, fires or has just submitted, plus one. */
    TASK,
    /** A producer's next action. */
    NEXT,
    /** Only for a mutant: the task that is published after the signal, plus one. */
    LATE,
    STATE,
    SEARCHES,
    /** Whether its thread is virtual, whether it does perhaps not run for long, and whether it has just come. */
    VIRTUAL,
    COMES,
    CAME,
    PERMIT,
    RING,
    /** Whether it has left an entry to another worker, and looks for more than such. */
    LEFT,
    MORE,
    EXPIRED,
    /** Whether the clock thread has seen that the watch is on, and until which point of time it sleeps, or 0. */
    LOOKS,
    UNTIL
}
