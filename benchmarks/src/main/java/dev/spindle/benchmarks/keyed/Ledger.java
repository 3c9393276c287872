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
 * Counts the events of each key in plain fields, and detects violations of order, mutual exclusion and visibility. The
 * latch opens after every key has run its last event.
 *
 * <p>The counts of two keys are at least a cache line apart. The keys are divided into groups, and the last key of a
 * group counts down the latch. With 100,000 keys, a single counter would be contended.
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
        // The compiler does not remove opaque accesses, and they add no memory ordering that could hide a violation.
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
