// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How long the last {@value #WINDOW} calls took, by powers of two that are cut into eight parts each: a percentile is
 * right to an eighth.
 */
final class Latencies {
    /*
     * Latencies-1  `last` has the index, plus one, of each of the last calls, and `counts` how often each index is
     *              there. A call is counted before its index takes the place of an older one, and the thread that took
     *              that out uncounts it: so each is uncounted once, and no count is ever below 0.
     *
     * All are added to and read without a lock; a reading that races with additions is off by these.
     */
    static final int WINDOW = 1_024;
    private static final int ENOUGH = 20;

    private final AtomicIntegerArray counts = new AtomicIntegerArray(62 * 8);
    private final AtomicIntegerArray last = new AtomicIntegerArray(WINDOW);
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger total = new AtomicInteger();

    void add(long nanos) {
        int index = index(Math.max(0, nanos));
        counts.incrementAndGet(index);
        int replaced = last.getAndSet(next.getAndIncrement() & (WINDOW - 1), index + 1);
        if (replaced == 0) {
            total.incrementAndGet();
        } else {
            counts.decrementAndGet(replaced - 1);
        }
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
        int highest = 0;
        for (int i = 0; i < counts.length() && below < rank; i++) {
            int here = counts.get(i);
            below += here;
            highest = here > 0 ? i : highest;
        }
        return longest(highest);
    }

    private static int index(long nanos) {
        if (nanos < 8) {
            return (int) nanos;
        }
        int exponent = 63 - Long.numberOfLeadingZeros(nanos);
        return (exponent - 2) * 8 + (int) (nanos >> (exponent - 3) & 7);
    }

    /** Returns the longest time with that index. */
    private static long longest(int index) {
        if (index < 8) {
            return index;
        }
        int exponent = index / 8 + 2;
        return ((8L + index % 8 + 1) << (exponent - 3)) - 1;
    }
}
