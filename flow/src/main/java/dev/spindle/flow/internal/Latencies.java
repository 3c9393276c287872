// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A histogram of the durations of the last {@value #WINDOW} calls. Its buckets are an eighth of a power of two wide, so
 * a percentile is at most an eighth too high.
 */
public final class Latencies {
    /*
     * Latencies-1  `last` has the index of the bucket, plus one, of each of the last calls. `counts` has at least the
     *              number of occurrences of each bucket in `last`: a thread increments the count of the new bucket,
     *              replaces an older bucket in `last`, and then decrements the count of the older bucket.
     *
     * There is no lock, so a percentile may include calls that are only partly added.
     */
    public static final int WINDOW = 1_024;
    /** The minimum number of calls for a percentile. This value was not measured. */
    private static final int ENOUGH = 20;

    private final AtomicIntegerArray counts = new AtomicIntegerArray(62 * 8);
    private final AtomicIntegerArray last = new AtomicIntegerArray(WINDOW);
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger total = new AtomicInteger();

    /** Adds a call that took {@code nanos}. A negative time is treated as 0. */
    public void add(long nanos) {
        int index = index(Math.max(0, nanos));
        counts.incrementAndGet(index);
        int replaced = last.getAndSet(next.getAndIncrement() & (WINDOW - 1), index + 1);
        if (replaced == 0) {
            total.incrementAndGet();
        } else {
            counts.decrementAndGet(replaced - 1); // Latencies-1
        }
    }

    /**
     * Returns a time that the share {@code percentile} of the calls did not exceed; -1 if there are fewer than 20
     * calls.
     */
    public long at(double percentile) {
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

    /** Returns the longest time of the bucket {@code index}. */
    private static long longest(int index) {
        if (index < 8) {
            return index;
        }
        int exponent = index / 8 + 2;
        return ((8L + index % 8 + 1) << (exponent - 3)) - 1;
    }
}
