// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events of one pass, created before the pass is timed.
 *
 * <p>A timed pass has one task object per key, so that all other allocation is the contender's. A checked pass has one
 * task object per event, which checks the position of the event in the order of its key.
 */
final class Events {
    private final int keys;
    private final int[] keyOfEvent;
    private final Runnable[] tasks;
    private final Ledger ledger;

    private Events(Traffic traffic, long seed, boolean checked) {
        keys = traffic.keys();
        keyOfEvent = traffic.keysOfEvents(seed);
        tasks = new Runnable[keyOfEvent.length];
        int[] eventsOfKey = new int[keys];
        Arrays.stream(keyOfEvent).forEach(key -> eventsOfKey[key]++);
        ledger = new Ledger(eventsOfKey);
        if (checked) {
            int[] next = new int[keys];
            Arrays.setAll(tasks, i -> checked(keyOfEvent[i], next[keyOfEvent[i]]++, traffic.increments(), ledger));
        } else {
            Runnable[] taskOfKey = new Runnable[keys];
            Arrays.setAll(taskOfKey, key -> timed(key, traffic.increments(), ledger));
            Arrays.setAll(tasks, i -> taskOfKey[keyOfEvent[i]]);
        }
    }

    static Events timed(Traffic traffic, long seed) {
        return new Events(traffic, seed, false);
    }

    static Events checked(Traffic traffic, long seed) {
        return new Events(traffic, seed, true);
    }

    private static Runnable timed(int key, int increments, Ledger ledger) {
        return () -> {
            work(increments);
            ledger.ran(key);
        };
    }

    private static Runnable checked(int key, int place, int increments, Ledger ledger) {
        return () -> {
            ledger.enter(key, place);
            work(increments);
            ledger.leave(key);
        };
    }

    @SuppressWarnings("UnnecessaryAsync") // the atomic increments are the work
    private static void work(int increments) {
        AtomicLong counter = new AtomicLong();
        for (int i = 0; i < increments; i++) {
            counter.incrementAndGet();
        }
    }

    int keys() {
        return keys;
    }

    int size() {
        return tasks.length;
    }

    int key(int event) {
        return keyOfEvent[event];
    }

    Runnable task(int event) {
        return tasks[event];
    }

    Ledger ledger() {
        return ledger;
    }
}
