// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** An entry that a bound may drop, oldest first. It waits in the injection queue, which finds the oldest entry. */
public abstract class DroppableEntry implements CancellableEntry.Wrapper { // a class, since TaskKeys makes type tests
    /** Returns the permit of this entry to its bound, and returns the task to run. */
    public abstract Runnable start();
}
