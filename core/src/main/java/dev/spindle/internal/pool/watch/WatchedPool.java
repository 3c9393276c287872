// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.watch;

import dev.spindle.internal.Pool;

/** A pool as its clock thread and its completer use it. */
public abstract class WatchedPool extends Pool {
    /** Returns a new thread that runs no tasks. A user's thread factory is not used, since it may block. */
    protected abstract Thread serviceThread(Runnable body, String role);

    /** Looks at the workers, as far as looks are due. Called by the clock thread. */
    protected abstract void look(long now);

    /** Wakes the idle workers to replace the clock thread, which could not be started. */
    protected abstract void lookYourselves();

    /** Returns whether workers replace the clock thread, which could not be started. */
    protected abstract boolean isUnwatched();

    /** Returns whether the pool has terminated. */
    protected abstract boolean isTerminated();

    /** Counts a time limit on which the completer has acted, as a step. */
    protected abstract void countOther();

    /** Reports a failure that no task has thrown. */
    protected abstract void troubled(Throwable failure);
}
