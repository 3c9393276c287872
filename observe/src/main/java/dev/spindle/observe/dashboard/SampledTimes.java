// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import dev.spindle.internal.Counters;
import dev.spindle.internal.Pool;
import java.util.ArrayDeque;
import java.util.Deque;

/** Percentiles of the times that the pool has sampled in about the last five seconds. Used by one thread. */
final class SampledTimes {
    /** The time that percentiles are of: some samples, even if one task in 128 is sampled. Not measured. */
    private static final long SPAN_MILLIS = 5_000;

    /** The time between two readings that are kept. Not measured. */
    private static final long STEP_MILLIS = 500;

    private final Deque<Reading> readings = new ArrayDeque<>();

    private static final class Reading {
        private final long millis;
        private final long[] runs;
        private final long[] waits;

        Reading(long millis, Pool.Times times) {
            this.millis = millis;
            runs = times.runs();
            waits = times.waits();
        }
    }

    /**
     * Adds a reading, and writes, in microseconds, p50 and p99 of the waits for a worker and of the run times, each -1
     * if there is no sample, and then the number of sampled run times. Returns the four percentiles.
     *
     * @param millis the time by a clock that never goes back
     */
    double[] write(Json json, long millis, Pool.Times times) {
        Reading now = new Reading(millis, times);
        while (readings.size() > 1 && readings.getFirst().millis < millis - SPAN_MILLIS) {
            readings.removeFirst();
        }
        Reading before = readings.peekFirst();
        long[] waits = since(before == null ? new long[0] : before.waits, now.waits);
        long[] runs = since(before == null ? new long[0] : before.runs, now.runs);
        json.name("time").array();
        double[] percentiles = {
            percentile(waits, 0.5), percentile(waits, 0.99), percentile(runs, 0.5), percentile(runs, 0.99)
        };
        for (double percentile : percentiles) {
            json.value(percentile);
        }
        json.value(sum(runs)).endArray();
        Reading last = readings.peekLast();
        if (last == null || millis - last.millis >= STEP_MILLIS) {
            readings.addLast(now);
        }
        return percentiles;
    }

    void clear() {
        readings.clear();
    }

    private static long[] since(long[] before, long[] now) {
        long[] samples = new long[Math.min(now.length, Counters.BUCKETS)];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = Math.max(0, now[i] - (i < before.length ? before[i] : 0));
        }
        return samples;
    }

    private static long sum(long[] samples) {
        long sum = 0;
        for (long count : samples) {
            sum += count;
        }
        return sum;
    }

    /** Returns a percentile in microseconds, as the middle of its bucket; -1 if there is no sample. */
    static double percentile(long[] samples, double share) {
        double rank = Math.ceil(share * sum(samples));
        long seen = 0;
        for (int bucket = 0; bucket < samples.length && rank > 0; bucket++) {
            seen += samples[bucket];
            if (seen >= rank) {
                return (Counters.least(bucket) + Counters.least(bucket + 1)) / 2_000.0;
            }
        }
        return -1;
    }
}
