// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

/**
 * The number of operations of a pass, in cells where no fixed number suits both the fastest and the slowest contender.
 * The number doubles until a pass takes long enough to be timed.
 */
public final class PassSize {
    private static final long LONG_ENOUGH = 150_000_000;

    private final int most;
    private int size;

    public PassSize(int first, int most) {
        this.size = first;
        this.most = most;
    }

    public int size() {
        return size;
    }

    /** Doubles the size, up to the maximum, if a pass of this size took less than 150 ms. */
    public void took(long nanos) {
        if (nanos < LONG_ENOUGH) {
            size = Math.min(most, 2 * size);
        }
    }
}
