// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

/**
 * The number of operations of a pass, for cells whose contenders differ too much for a fixed number. It doubles until a
 * pass takes long enough to be timed.
 */
public final class PassSize {
    private static final long LONG_ENOUGH = 150_000_000;

    private final int most;
    private int size;

    /** @param first the size of the first pass */
    public PassSize(int first, int most) {
        this.size = first;
        this.most = most;
    }

    public int size() {
        return size;
    }

    /** Adjusts the size to the time that a pass of this size took. */
    public void took(long nanos) {
        if (nanos < LONG_ENOUGH) {
            size = Math.min(most, 2 * size);
        }
    }
}
