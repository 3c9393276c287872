// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Subject;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

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

    /**
     * Counts the events of each key in plain fields, and detects violations of order, mutual exclusion and visibility.
     * The latch opens after every key has run its last event.
     *
     * <p>The counts of two keys are at least a cache line apart. The keys are divided into groups, and the last key of
     * a group counts down the latch. With 100,000 keys, a single counter would be contended.
     */
    static final class Ledger {
        private static final VarHandle BUSY = MethodHandles.arrayElementVarHandle(byte[].class);
        private static final int STRIDE = 8; // longs
        private static final int GROUPS = 64;
        private static final int GROUP_STRIDE = 16; // ints

        private final int[] expected;
        private final long[] counts;
        private final byte[] busy;
        private final LongAdder misplaced = new LongAdder();
        private final LongAdder overlaps = new LongAdder();
        private final AtomicIntegerArray keysLeft = new AtomicIntegerArray(GROUPS * GROUP_STRIDE);
        private final CountDownLatch groupsLeft;

        Ledger(int[] expected) {
            this.expected = expected;
            counts = new long[expected.length * STRIDE];
            busy = new byte[expected.length];
            int groups = 0;
            for (int key = 0; key < expected.length; key++) {
                if (expected[key] > 0 && keysLeft.getAndIncrement(group(key)) == 0) {
                    groups++;
                }
            }
            groupsLeft = new CountDownLatch(groups);
        }

        void ran(int key) {
            if (++counts[key * STRIDE] == expected[key] && keysLeft.decrementAndGet(group(key)) == 0) {
                groupsLeft.countDown();
            }
        }

        /** Checks that the event is next in its key's order, and that no other event of the key is running. */
        void enter(int key, int place) {
            if (counts[key * STRIDE] != place) {
                misplaced.increment();
            }
            // The compiler does not remove opaque accesses, and they add no memory ordering that could hide a
            // violation.
            if ((byte) BUSY.getOpaque(busy, key) != 0) {
                overlaps.increment();
            }
            BUSY.setOpaque(busy, key, (byte) 1);
        }

        void leave(int key) {
            BUSY.setOpaque(busy, key, (byte) 0);
            ran(key);
        }

        /** Waits until every key has run its last event; returns false if {@code limit} elapses first. */
        boolean await(Duration limit) throws InterruptedException {
            return groupsLeft.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        }

        long misplaced() {
            return misplaced.sum();
        }

        /** Returns the number of events that began while another event of their key was running. */
        long overlaps() {
            return overlaps.sum();
        }

        /** Returns the number of events that were lost or duplicated. */
        long miscounted() {
            long wrong = 0;
            for (int key = 0; key < expected.length; key++) {
                wrong += Math.abs(counts[key * STRIDE] - expected[key]);
            }
            return wrong;
        }

        long violations() {
            return misplaced() + overlaps() + miscounted();
        }

        private static int group(int key) {
            return (key % GROUPS) * GROUP_STRIDE;
        }
    }

    /**
     * The keys of a pass's events and their order. A random order is drawn from a seed, and every contender gets the
     * same seeds.
     *
     * @param increments the number of atomic increments that each event performs
     */
    record Traffic(int keys, int events, int increments, Order order) {
        private static final int FEWEST = 100;
        private static final int LONG_EVENT = 1_000;
        private static final Subject.Scale A_PART = new Subject.Scale(0.2);

        enum Order {
            ROUND_ROBIN,
            UNIFORM,
            /** The key of rank r is drawn with a probability proportional to 1 / r. */
            ZIPF
        }

        Traffic scaled(Subject.Scale scale) {
            return new Traffic(keys, Math.min(events, scale.of(events, FEWEST)), increments, order);
        }

        /** Returns the traffic of a warm-up pass: all events if an event is short, otherwise a fifth of the events. */
        Traffic warmUp() {
            return increments >= LONG_EVENT ? scaled(A_PART) : this;
        }

        int[] keysOfEvents(long seed) {
            Random random = new Random(seed);
            return switch (order) {
                case ROUND_ROBIN ->
                    IntStream.range(0, events).map(event -> event % keys).toArray();
                case UNIFORM ->
                    IntStream.range(0, events)
                            .map(event -> random.nextInt(keys))
                            .toArray();
                case ZIPF -> zipf(random);
            };
        }

        /**
         * Draws the keys by rank, and assigns the ranks to keys at random. Adjacent hot keys would favour some
         * executors that map keys to threads by a modulus.
         */
        private int[] zipf(Random random) {
            double[] cumulative = new double[keys];
            int[] keyOfRank = new int[keys];
            double sum = 0;
            for (int rank = 0; rank < keys; rank++) {
                sum += 1 / (rank + 1.0);
                cumulative[rank] = sum;
                int other = random.nextInt(rank + 1);
                keyOfRank[rank] = keyOfRank[other];
                keyOfRank[other] = rank;
            }
            double whole = sum;
            return IntStream.range(0, events)
                    .map(event -> Arrays.binarySearch(cumulative, random.nextDouble() * whole))
                    .map(found -> keyOfRank[Math.min(found < 0 ? -found - 1 : found, keys - 1)])
                    .toArray();
        }
    }
}
