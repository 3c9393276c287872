// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

/** What each thread has: where it is, where it returns to, what it holds; then what belongs to workers. */
enum Own {
    PC,
    RETURN,
    BOUND,
    SEEN,
    WHO,
    NEW,
    TASK,
    NEXT,
    STATE,
    SEARCHES,
    PERMIT,
    RING,
    EXPIRED,
    /** Only for a mutant: the task that is published after the signal, plus one, and where to go on then. */
    LATE,
    LATE_BACK
}
