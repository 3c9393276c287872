// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import dev.spindle.benchmarks.forks.StalledException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The tasks of one pass: whether each ran once, and in the order of its producer. Its fields are plain: that tasks run
 * one after the other, and each sees what the one before did, is the executor's promise.
 */
final class Ledger {
    private static final int STRIDE = 16; // ints, so that no two producers share a cache line
    private static final int PATIENCE_SECONDS = 30;

    private final int[] next;
    private final int expected;
    private final CountDownLatch done = new CountDownLatch(1);
    private int ran;
    private long misplaced;

    Ledger(int producers, int expected) {
        next = new int[producers * STRIDE];
        this.expected = expected;
    }

    /** Makes a task; its number counts the tasks of its producer from 0. */
    Runnable task(int producer, int number) {
        return () -> ran(producer, number);
    }

    private void ran(int producer, int number) {
        int at = producer * STRIDE;
        if (next[at] != number) {
            misplaced++;
        }
        next[at] = number + 1;
        if (++ran == expected) {
            done.countDown();
        }
    }

    /**
     * Waits until as many tasks as expected have run.
     *
     * @return how many of them ran out of order or once more
     * @throws StalledException if that takes half a minute
     */
    long await() throws InterruptedException {
        if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException("not all of " + expected + " tasks ran in " + PATIENCE_SECONDS + " s");
        }
        return misplaced;
    }
}
