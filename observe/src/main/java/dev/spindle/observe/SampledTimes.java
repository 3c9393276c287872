// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import dev.spindle.internal.Counters;

/**
 * What the samples of one kind of time say of all tasks: their total time, and quantiles of a recent time. Confined to
 * the monitor of its owner.
 */
final class SampledTimes {
    /** The number of samples from which on a window ends with the next snapshot. Not measured. */
    private static final int ENOUGH = 64;

    private long[] before = new long[Counters.TIMES]; // at the last snapshot
    private long[] begin = new long[Counters.TIMES]; // at the begin of the window
    private long[] window = new long[Counters.TIMES]; // the samples of the window
    private long tasks;
    private double mean;
    private double total;

    /**
     * Adds a reading.
     *
     * @param samples the counts of all samples so far; empty if there are none
     * @param tasks the number of all tasks so far
     */
    void add(long[] samples, long tasks) {
        long[] now = samples.length == 0 ? before : samples.clone();
        long more = count(now) - count(before);
        if (more > 0) {
            mean = (double) (now[Counters.TOTAL] - before[Counters.TOTAL]) / more;
        }
        total += mean * Math.max(0, tasks - this.tasks);
        this.tasks = Math.max(this.tasks, tasks);
        before = now;
        if (count(window) >= ENOUGH) {
            begin = now.clone(); // the next window; this one is shown until the next has a sample
        }
        long[] next = new long[Counters.TIMES];
        for (int i = 0; i < next.length; i++) {
            next[i] = now[i] - begin[i];
        }
        if (count(next) > 0) {
            window = next;
        }
    }

    private static long count(long[] times) {
        long count = 0;
        for (int i = 0; i < Counters.BUCKETS; i++) {
            count += times[i];
        }
        return count;
    }

    /** Returns the number of tasks at the last reading. */
    long tasks() {
        return tasks;
    }

    /** Returns an estimate of the total time of these tasks, in nanoseconds, which never decreases. */
    double totalNanos() {
        return total;
    }

    /** Returns the time, in nanoseconds, below which a share of the recent samples is; NaN without a sample. */
    double quantileNanos(double share) {
        long count = count(window);
        if (count == 0) {
            return Double.NaN;
        }
        double below = share * count;
        long sum = 0;
        int bucket = 0;
        while (bucket < Counters.BUCKETS - 1 && sum + window[bucket] < below) {
            sum += window[bucket];
            bucket++;
        }
        return (Counters.least(bucket) + Counters.least(bucket + 1)) / 2.0; // the middle of the bucket
    }
}
