// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.metrics;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of one route: answers by class of status, and their durations. Any thread may count and read. Counts may be
 * inconsistent with each other if requests end while they are read.
 */
public final class RouteMetrics {
    /** The upper bounds of the buckets in milliseconds. */
    private static final long[] BOUNDS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000};

    /** The counts by class of status: index 5 counts 500 to 599, index 0 counts requests without a valid status. */
    private final LongAdder[] statuses = adders(6);

    private final LongAdder[] buckets = adders(BOUNDS.length + 1);
    private final LongAdder nanos = new LongAdder();

    private static LongAdder[] adders(int count) {
        LongAdder[] adders = new LongAdder[count];
        for (int i = 0; i < count; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }

    /**
     * Counts a request that has ended.
     *
     * @param status the status of its answer; 0 if it had none
     * @param took the nanoseconds from its head to the end of its answer
     */
    public void ended(int status, long took) {
        statuses[status >= 100 && status < 600 ? status / 100 : 0].increment();
        long millis = (took + 999_999) / 1_000_000;
        int bucket = 0;
        while (bucket < BOUNDS.length && millis > BOUNDS[bucket]) {
            bucket++;
        }
        buckets[bucket].increment();
        nanos.add(took);
    }

    /**
     * Returns the number of answers with a status of the given class, such as 5; class 0 counts requests without an
     * answer.
     */
    public long answers(int statusClass) {
        return statuses[statusClass].sum();
    }

    /** Returns the number of buckets; the last has no upper bound. */
    public static int buckets() {
        return BOUNDS.length + 1;
    }

    /** Returns the upper bound of a bucket in milliseconds. */
    public static long bound(int index) {
        return BOUNDS[index];
    }

    /** Returns the upper bounds of all buckets but the last, in milliseconds. */
    public static long[] bounds() {
        return BOUNDS.clone();
    }

    /** Returns the number of requests in each bucket, not including lower buckets. */
    public long[] counts() {
        long[] counts = new long[buckets.length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = buckets[i].sum();
        }
        return counts;
    }

    /** Returns the number of requests in one bucket, not including lower buckets. */
    public long bucket(int index) {
        return buckets[index].sum();
    }

    /** Returns the total time of all requests. */
    public double seconds() {
        return nanos.sum() / 1e9;
    }
}
