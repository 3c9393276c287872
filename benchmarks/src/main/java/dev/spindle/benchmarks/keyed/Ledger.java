// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The events that each key has run, in plain fields: a breach of order, exclusion or visibility shows here. It
 * completes when every key has run its last event.
 *
 * <p>The counts of two keys are a cache line apart. Keys that are done count down in groups, and only the last key of a
 * group counts down the latch: with 100,000 keys a shared counter would be a cost of the harness.
 */
final class Ledger {
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

    /** @param expected the number of events of each key */
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

    /** Counts an event of this key. */
    void ran(int key) {
        if (++counts[key * STRIDE] == expected[key] && keysLeft.decrementAndGet(group(key)) == 0) {
            groupsLeft.countDown();
        }
    }

    /**
     * Checks, before the work of an event, that the event is in order and that no other event of the key is under way.
     */
    void enter(int key, int place) {
        if (counts[key * STRIDE] != place) {
            misplaced.increment();
        }
        // Opaque, so that the compiler keeps the marks, and no stronger, so that they add no ordering.
        if ((byte) BUSY.getOpaque(busy, key) != 0) {
            overlaps.increment();
        }
        BUSY.setOpaque(busy, key, (byte) 1);
    }

    /** Counts an event that has entered. */
    void leave(int key) {
        BUSY.setOpaque(busy, key, (byte) 0);
        ran(key);
    }

    /** Waits until every key has run its last event; returns false if that takes longer than {@code limit}. */
    boolean await(Duration limit) throws InterruptedException {
        return groupsLeft.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns events that ran before or after their turn. */
    long misplaced() {
        return misplaced.sum();
    }

    /** Returns events that began while another of the same key was under way. */
    long overlaps() {
        return overlaps.sum();
    }

    /** Returns events that never ran, or ran too often. */
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
