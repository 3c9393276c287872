// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * What each key has run so far, in plain fields: a contender that broke order, exclusion or visibility would show here.
 *
 * <p>Counts stand a cache line apart, so that two keys on two threads do not disturb each other.
 */
final class Ledger {
    private static final VarHandle BUSY = MethodHandles.arrayElementVarHandle(byte[].class);
    private static final int STRIDE = 8;

    private final int[] expected;
    private final long[] counts;
    private final byte[] busy;
    private final LongAdder misplaced = new LongAdder();
    private final LongAdder overlaps = new LongAdder();

    Ledger(int[] expected) {
        this.expected = expected;
        counts = new long[expected.length * STRIDE];
        busy = new byte[expected.length];
    }

    /** Counts an event of this key; true when it was the key's last. */
    boolean ran(int key) {
        return ++counts[key * STRIDE] == expected[key];
    }

    /** Checks, before the event works, that it comes in its place and that no other event of the key is under way. */
    void enter(int key, int place) {
        if (counts[key * STRIDE] != place) {
            misplaced.increment();
        }
        // Opaque, so that the marks stay in the code, and no stronger, so that they order nothing for the contender.
        if ((byte) BUSY.getOpaque(busy, key) != 0) {
            overlaps.increment();
        }
        BUSY.setOpaque(busy, key, (byte) 1);
    }

    void leave(int key) {
        BUSY.setOpaque(busy, key, (byte) 0);
    }

    /** Events that ran before or after their turn. */
    long misplaced() {
        return misplaced.sum();
    }

    /** Events that began while another of the same key was under way. */
    long overlaps() {
        return overlaps.sum();
    }

    /** Events that never ran, or ran too often: 0 when every event ran exactly once. */
    long miscounted() {
        long wrong = 0;
        for (int key = 0; key < expected.length; key++) {
            wrong += Math.abs(counts[key * STRIDE] - expected[key]);
        }
        return wrong;
    }

    /** Events for which a promise was broken: order, exclusion, or exactly one run. */
    long violations() {
        return misplaced() + overlaps() + miscounted();
    }
}
