// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Decides whether a thread that waits for something, such as a worker without work, spins for a moment or parks at
 * once, and learns from the outcome. A search that finds what it wants saves a wake-up, which costs about as much as
 * the whole search. One that does not was wasted, kept a processor from others, and drives those that work together
 * apart: who is woken while the searcher runs is put on another processor, an idle one, which takes long to wake. So
 * threads search while at least one of three searches succeeds; if fewer do, they let more and more occasions pass
 * before they try again.
 */
final class AdaptiveSpin {
    private static final int LEAST_TRIED = 16;
    private static final int MAX_ROUNDS = 1_000; // an end for a clock that stands still

    private final LongSupplier clock;
    private final boolean alone;
    private final boolean yields;
    private int passing; // 2^passing occasions are let pass after a search that found nothing; racy, as all this
    private int left;

    /**
     * Creates the habit of a pool on a machine with so many processors; with one, nobody can work while one searches.
     */
    AdaptiveSpin(int processors, LongSupplier clock) {
        this(processors, clock, true);
    }

    /** As above, for a pool whose workers have a processor of their own to search on, if {@code yields} is false. */
    AdaptiveSpin(int processors, LongSupplier clock, boolean yields) {
        this.clock = clock;
        this.yields = yields;
        alone = processors == 1;
    }

    /** Returns whether the calling thread should search now. */
    boolean isWorthwhile() {
        if (alone) {
            return false;
        }
        int now = left;
        if (now > 0) {
            left = now - 1;
            return false;
        }
        return true;
    }

    /** Looks for up to {@code nanos} whether {@code there} is true, and learns from it; returns whether it was. */
    boolean search(BooleanSupplier there, long nanos) {
        long end = clock.getAsLong() + nanos;
        int rounds = 0;
        do {
            for (int i = 0; i < 16; i++) {
                if (there.getAsBoolean()) {
                    note(true);
                    return true;
                }
                Thread.onSpinWait();
            }
            if (yields) {
                Thread.yield(); // with more threads than processors, who is to bring it may need this one
            }
        } while (clock.getAsLong() - end < 0 && ++rounds < MAX_ROUNDS);
        boolean found = there.getAsBoolean();
        note(found);
        return found;
    }

    /** Takes the outcome of a search. */
    void note(boolean found) {
        if (found) {
            passing = Math.max(0, passing - 2);
        } else {
            passing = Math.min(LEAST_TRIED, passing + 1);
            left = (1 << passing) - 2;
        }
    }
}
