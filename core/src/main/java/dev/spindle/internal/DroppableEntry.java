// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** An entry that a bound may drop, the oldest first: it waits in the shared queue, where the oldest can be found. */
public abstract class DroppableEntry implements CancellableEntry.Wrapper { // a class: see TaskKeys
    /** Gives its place back, and returns the task that is to be run in its stead. */
    public abstract Runnable start();
}
