// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/**
 * Learns whether a worker that runs dry should look around for a moment or go to sleep at once. A search that finds work
 * saves a wake-up, which costs about as much as the whole search. One that finds none was wasted, kept a processor from
 * others, and drives those that work together apart: who is woken while the searcher runs is put on another processor, an
 * idle one, which takes long to wake. So workers search while at least one of three searches finds work; if fewer do, they
 * let more and more occasions pass before they try again.
 */
final class SearchHabit {
    private static final int LEAST_TRIED = 16;

    private final boolean alone;
    private int passing; // 2^passing occasions are let pass after a search that found nothing; racy, as all this
    private int left;

    /** Creates the habit of a pool on a machine with so many processors; with one, nobody can work while one searches. */
    SearchHabit(int processors) {
        alone = processors == 1;
    }

    /** Returns whether the calling worker, which has run dry, should search. */
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
