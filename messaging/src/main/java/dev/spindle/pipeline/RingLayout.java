// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/**
 * The mapping of sequence numbers to the slots and rounds of a ring.
 *
 * @param size the number of slots, a power of two
 */
record RingLayout(int size) {
    /** Returns the index of the slot of {@code sequence}. */
    int index(long sequence) {
        return (int) sequence & (size - 1);
    }

    /**
     * Returns the number of the round of {@code sequence}, from 1 on. A stamp of the previous round, or the initial
     * value of an array, never equals the round.
     */
    int round(long sequence) {
        return (int) (sequence >>> Integer.numberOfTrailingZeros(size)) + 1;
    }
}
