// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How long the last calls took, by powers of two that are cut into eight parts each: a percentile is right to an
 * eighth.
 */
final class Latencies {
    /*
     * Counts are added and read without a lock; a reading that races with additions is off by these. When twice WINDOW
     * calls are counted, the thread that counted the last halves all counts, so that old calls lose weight: additions
     * meanwhile are not lost, for what is taken away is what was read.
     */
    private static final int WINDOW = 1_024;
    private static final int ENOUGH = 20;

    private final AtomicIntegerArray counts = new AtomicIntegerArray(62 * 8);
    private final AtomicInteger total = new AtomicInteger();

    void add(long nanos) {
        counts.incrementAndGet(index(Math.max(0, nanos)));
        if (total.incrementAndGet() == 2 * WINDOW) {
            halve();
        }
    }

    private void halve() {
        int taken = 0;
        for (int i = 0; i < counts.length(); i++) {
            int half = counts.get(i) / 2;
            counts.addAndGet(i, -half);
            taken += half;
        }
        total.addAndGet(-taken);
    }

    /**
     * Returns a time that the share {@code percentile} of the calls did not exceed, or -1 if too few have been seen.
     */
    long at(double percentile) {
        int all = total.get();
        if (all < ENOUGH) {
            return -1;
        }
        long rank = (long) Math.ceil(percentile * all);
        long below = 0;
        int last = 0;
        for (int i = 0; i < counts.length() && below < rank; i++) {
            int here = counts.get(i);
            below += here;
            last = here > 0 ? i : last;
        }
        return highest(last);
    }

    private static int index(long nanos) {
        if (nanos < 8) {
            return (int) nanos;
        }
        int exponent = 63 - Long.numberOfLeadingZeros(nanos);
        return (exponent - 2) * 8 + (int) (nanos >> (exponent - 3) & 7);
    }

    /** Returns the longest time with that index. */
    private static long highest(int index) {
        if (index < 8) {
            return index;
        }
        int exponent = index / 8 + 2;
        return ((8L + index % 8 + 1) << (exponent - 3)) - 1;
    }
}
