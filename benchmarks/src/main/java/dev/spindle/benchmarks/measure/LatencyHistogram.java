// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.measure;

import org.HdrHistogram.AtomicHistogram;

/** A histogram of times with two significant digits. This class is thread-safe. */
public final class LatencyHistogram {
    private static final long MOST = 3_600_000_000_000L;

    private final AtomicHistogram counts = new AtomicHistogram(MOST, 2);

    /** Records a time in nanoseconds; a time below 0 is recorded as 0, and a time above an hour as an hour. */
    public void record(long nanos) {
        counts.recordValue(Math.min(MOST, Math.max(0, nanos)));
    }

    public long count() {
        return counts.getTotalCount();
    }

    /**
     * Returns the time in nanoseconds that the given fraction of the times does not exceed, or NaN if no time was
     * recorded.
     */
    public double percentile(double share) {
        return count() == 0 ? Double.NaN : counts.getValueAtPercentile(100 * share);
    }
}
