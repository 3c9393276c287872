// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.util.ArrayDeque;
import java.util.Deque;

/** Percentiles of the durations of the calls in about the last ten seconds. Used by one thread at a time. */
final class CallTimes {
    /** The time that percentiles are of. Not measured. */
    private static final long SPAN_MILLIS = 10_000;

    /** The minimum time between two readings that are kept. Not measured. */
    private static final long STEP_MILLIS = 1_000;

    private final Deque<Reading> readings = new ArrayDeque<>();
    private long[] bounds = new long[0];
    private long[] recent = new long[0];

    private static final class Reading {
        private final long millis;
        private final long[] calls;

        Reading(long millis, long[] calls) {
            this.millis = millis;
            this.calls = calls;
        }
    }

    /**
     * Adds a reading of a histogram.
     *
     * @param millis the time by a clock that never goes back
     * @param bounds the upper bounds of the buckets, in milliseconds
     * @param calls the number of calls in each bucket; one element more than {@code bounds}
     */
    void add(long millis, long[] bounds, long[] calls) {
        while (readings.size() > 1 && readings.getFirst().millis < millis - SPAN_MILLIS) {
            readings.removeFirst();
        }
        Reading first = readings.peekFirst();
        long[] before = first == null ? calls : first.calls; // not the calls of hours before the first viewer
        recent = new long[calls.length];
        for (int i = 0; i < calls.length; i++) {
            recent[i] = Math.max(0, calls[i] - (i < before.length ? before[i] : 0));
        }
        this.bounds = bounds;
        Reading last = readings.peekLast();
        if (last == null || millis - last.millis >= STEP_MILLIS) {
            readings.addLast(new Reading(millis, calls.clone()));
        }
    }

    /**
     * Returns a percentile in milliseconds, or -1 if there was no call. Within a bucket the calls are taken as evenly
     * spread. The last bucket, which has no upper bound, counts as its lower bound.
     */
    double percentile(double share) {
        long all = 0;
        for (long count : recent) {
            all += count;
        }
        double rank = share * all;
        long below = 0;
        for (int i = 0; i < recent.length && all > 0; i++) {
            if (recent[i] > 0 && below + recent[i] >= rank) {
                double least = i == 0 ? 0 : bounds[i - 1];
                double most = i < bounds.length ? bounds[i] : least;
                return least + (most - least) * Math.max(0, rank - below) / recent[i];
            }
            below += recent[i];
        }
        return -1;
    }
}
