// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * A task of the library's own, run in a lane, or as a plain task that no shutdown takes away. It takes no place in a
 * bound, since it is no work of the user's, and carries no context, since it acts for many. A class, since every submit
 * asks, and of a class that is one comparison.
 */
public abstract class InternalTask implements Runnable {
    /**
     * Returns whether this is accepted after a shutdown, until the termination: because its owner holds the executor
     * ({@link Lifetime#hold}). Asked only then, and not if a worker of the executor submits it, since what that runs
     * was accepted.
     */
    public boolean goesOn() {
        return false;
    }
}
