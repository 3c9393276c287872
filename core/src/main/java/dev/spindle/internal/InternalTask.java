// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * A task of the library itself, in a lane or as a plain task. A {@code shutdownNow} does not withdraw an internal task
 * that is a plain task. An internal task takes no permit of a bound, and carries no context. This is a class and not an
 * interface, since each submit tests for this type, and a test for a class is faster.
 */
public abstract class InternalTask implements Runnable {
    /**
     * Returns whether this task is accepted between shutdown and termination. If this method returns true, the owner of
     * the task {@linkplain Lifetime#hold holds} the executor. Called only after a shutdown, and only if the submitter
     * is not a worker of the executor; the submit of a worker is always accepted.
     */
    public boolean goesOn() {
        return false;
    }
}
