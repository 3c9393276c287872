// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events of one pass, made before the clock starts.
 *
 * <p>A timed workload has one task object per key, used for all its events, as in the seed's test: what a contender
 * allocates is its own. A checked workload has one object per event, which knows its place in its key's order.
 */
final class Workload {
    private final int keys;
    private final int[] order;
    private final Runnable[] events;
    private final Completion completion;
    private final Ledger ledger;

    private Workload(int keys, int[] order, Runnable[] events, Completion completion, Ledger ledger) {
        this.keys = keys;
        this.order = order;
        this.events = events;
        this.completion = completion;
        this.ledger = ledger;
    }

    static Workload timed(Load load, long seed) {
        return of(load, seed, false);
    }

    static Workload checked(Load load, long seed) {
        return of(load, seed, true);
    }

    private static Workload of(Load load, long seed, boolean checked) {
        int[] order = load.traffic().keys(load.keys(), load.events(), seed);
        int[] eventsOfKey = histogram(order, load.keys());
        Completion completion = new Completion(eventsOfKey);
        Ledger ledger = new Ledger(eventsOfKey);
        Runnable[] events = new Runnable[order.length];
        if (checked) {
            int[] nextOfKey = new int[load.keys()];
            Arrays.setAll(
                    events, i -> checkedTask(order[i], nextOfKey[order[i]]++, load.increments(), ledger, completion));
        } else {
            Runnable[] taskOfKey = new Runnable[load.keys()];
            Arrays.setAll(taskOfKey, key -> timedTask(key, load.increments(), ledger, completion));
            Arrays.setAll(events, i -> taskOfKey[order[i]]);
        }
        return new Workload(load.keys(), order, events, completion, ledger);
    }

    int keys() {
        return keys;
    }

    int size() {
        return order.length;
    }

    int key(int event) {
        return order[event];
    }

    Runnable task(int event) {
        return events[event];
    }

    Completion completion() {
        return completion;
    }

    Ledger ledger() {
        return ledger;
    }

    /** The seed's simulated work: increments of a counter that nobody else sees. */
    @SuppressWarnings("UnnecessaryAsync") // what the atomic increments cost is the work
    static void work(int increments) {
        AtomicLong counter = new AtomicLong();
        for (int i = 0; i < increments; i++) {
            counter.incrementAndGet();
        }
    }

    private static Runnable timedTask(int key, int increments, Ledger ledger, Completion completion) {
        return () -> {
            work(increments);
            if (ledger.ran(key)) {
                completion.keyDone(key);
            }
        };
    }

    private static Runnable checkedTask(int key, int place, int increments, Ledger ledger, Completion completion) {
        return () -> {
            ledger.enter(key, place);
            work(increments);
            boolean last = ledger.ran(key);
            ledger.leave(key);
            if (last) {
                completion.keyDone(key);
            }
        };
    }

    private static int[] histogram(int[] order, int keys) {
        int[] eventsOfKey = new int[keys];
        for (int key : order) {
            eventsOfKey[key]++;
        }
        return eventsOfKey;
    }
}
