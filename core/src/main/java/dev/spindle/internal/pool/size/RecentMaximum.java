// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.size;

/**
 * The maximum of the recently added numbers. A number is forgotten after one to two windows of {@link #WINDOW_NANOS}.
 * Used by {@link AwakeLimit} alone.
 */
final class RecentMaximum {
    /**
     * The length of a window. With this memory and looks every 5 ms, 1,230 of 80,000 events were late; without it,
     * 4,222 (ADR 0016). Other values were not measured.
     */
    static final long WINDOW_NANOS = 100_000_000;

    private int now; // the maximum since `start`
    private int before; // the maximum of the window that ended at `start`
    private long start;

    void add(long time, int number) {
        long passed = time - start;
        if (passed < 0 || passed >= WINDOW_NANOS) { // negative if `time` was read before `start`
            boolean isNext = passed < 2 * WINDOW_NANOS;
            before = isNext ? now : 0; // T3
            now = 0;
            start = isNext && passed >= 0 ? start + WINDOW_NANOS : time;
        }
        now = Math.max(now, number);
    }

    /** Returns the maximum as of the last addition. */
    int get() {
        return Math.max(now, before);
    }
}
