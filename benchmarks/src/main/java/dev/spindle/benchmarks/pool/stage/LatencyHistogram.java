// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts times in buckets that are at most 1.6 % wide. Any number of threads may record; a reading beside them may miss
 * the newest.
 */
public final class LatencyHistogram {
    private static final int BITS = 6;
    private static final int STEPS = 1 << BITS;
    /** Times above 18 minutes fall into the last bucket. */
    private static final int LAST_POWER = 40;

    private final AtomicLongArray counts = new AtomicLongArray((LAST_POWER - BITS + 2) * STEPS);

    /** Records a time; a negative one, which a clock's correction may leave, counts as 0. */
    public void record(long nanos) {
        counts.getAndIncrement(bucket(nanos));
    }

    public long count() {
        long count = 0;
        for (int bucket = 0; bucket < counts.length(); bucket++) {
            count += counts.get(bucket);
        }
        return count;
    }

    /** The time in nanoseconds that a share of the times does not exceed; NaN when nothing was recorded. */
    public double percentile(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * count()));
        long seen = 0;
        for (int bucket = 0; bucket < counts.length(); bucket++) {
            seen += counts.get(bucket);
            if (seen >= wanted) {
                return middle(bucket);
            }
        }
        return Double.NaN;
    }

    private static int bucket(long nanos) {
        if (nanos < STEPS) {
            return (int) Math.max(0, nanos);
        }
        int power = Math.min(LAST_POWER, Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos));
        int step = (int) Math.min(STEPS - 1, (nanos >>> (power - BITS)) - STEPS);
        return (power - BITS + 1) * STEPS + step;
    }

    private static double middle(int bucket) {
        if (bucket < STEPS) {
            return bucket;
        }
        int shift = bucket / STEPS - 1;
        long low = (long) (STEPS + bucket % STEPS) << shift;
        return low + ((1L << shift) - 1) / 2.0;
    }
}
