// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * A task of the library's own, run in a lane or as a plain task that no shutdown withdraws. It takes no permit of a
 * bound, since it is not a task of the user, and carries no context, since it acts for many tasks. A class and not an
 * interface, since each submit tests for it, and a test for a class is one comparison.
 */
public abstract class InternalTask implements Runnable {
    /**
     * Returns whether this task is accepted between shutdown and termination, since its owner holds the executor
     * ({@link Lifetime#hold}). Called only between shutdown and termination, and only if the submitter is not a worker
     * of the executor; a worker runs accepted work, so its submits are accepted.
     */
    public boolean goesOn() {
        return false;
    }
}
