// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** One submission of a coalescing task: the value that a {@link Cell} holds while it is the latest. */
public abstract class Latest implements Accepted {
    /**
     * How many pending submissions this one and the ones before it have replaced since the slot was last empty.
     * Written by the submitter before publication, read by whoever takes the entry.
     */
    int replaced;

    /** Says that a newer submission took this one's place. Called once, by the newer one's submitter. */
    protected abstract void superseded();
}
