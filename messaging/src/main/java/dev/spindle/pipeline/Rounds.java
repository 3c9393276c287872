// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/**
 * Where a sequence number lies in a ring, and in which round.
 *
 * @param size of the ring, a power of two
 */
record Rounds(int size) {
    int index(long sequence) {
        return (int) sequence & (size - 1);
    }

    /**
     * Returns the number of the round from 1, so that no event of the last one, nor a fresh array, is taken for this
     * one.
     */
    int round(long sequence) {
        return (int) (sequence >>> Integer.numberOfTrailingZeros(size)) + 1;
    }
}
