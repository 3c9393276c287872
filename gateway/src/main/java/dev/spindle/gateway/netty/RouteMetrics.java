// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import java.util.concurrent.atomic.LongAdder;

/** Counts of one route: answers by class of status, and how long they took. */
final class RouteMetrics {
    /** Upper bounds of the buckets in milliseconds. */
    static final long[] BOUNDS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000};

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

    void ended(int status, long took) {
        statuses[status >= 100 && status < 600 ? status / 100 : 0].increment();
        long millis = (took + 999_999) / 1_000_000;
        int bucket = 0;
        while (bucket < BOUNDS.length && millis > BOUNDS[bucket]) {
            bucket++;
        }
        buckets[bucket].increment();
        nanos.add(took);
    }

    /** Answers with a status of that class, such as 5; class 0 has those that had none. */
    long answers(int statusClass) {
        return statuses[statusClass].sum();
    }

    long bucket(int index) {
        return buckets[index].sum();
    }

    double seconds() {
        return nanos.sum() / 1e9;
    }
}
