// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

/**
 * How many operations a pass has, where contenders differ so much that no number suits all: it grows until a pass takes
 * long enough to be timed. Warm-up passes find it.
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

    /** To be told how long a pass of this size took. */
    public void took(long nanos) {
        if (nanos < LONG_ENOUGH) {
            size = Math.min(most, 2 * size);
        }
    }
}
