// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.measure;

import org.HdrHistogram.AtomicHistogram;

/** Counts times to two digits. Any number of threads may record. */
public final class LatencyHistogram {
    private static final long MOST = 3_600_000_000_000L;

    private final AtomicHistogram counts = new AtomicHistogram(MOST, 2);

    /**
     * Records a time in nanoseconds; a negative one, due to a correction of the clock, counts as 0, and one above an
     * hour as an hour.
     */
    public void record(long nanos) {
        counts.recordValue(Math.min(MOST, Math.max(0, nanos)));
    }

    public long count() {
        return counts.getTotalCount();
    }

    /** The time in nanoseconds that a share of the times does not exceed; NaN if no time was recorded. */
    public double percentile(double share) {
        return count() == 0 ? Double.NaN : counts.getValueAtPercentile(100 * share);
    }
}
