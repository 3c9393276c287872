// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.kafka;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * The code that all contenders call for each record: it checks the order of the key in plain fields, and waits. The
 * count is exact when all calls have ended.
 */
final class Handler {
    private static final long LONGEST_SECONDS = 60;
    private static final int LOOK_EVERY = 1 << 10;

    private final int[] next;
    private final long waitNanos;
    private final LongAdder handled = new LongAdder();
    private final LongAdder disorders = new LongAdder();
    private final CountDownLatch first = new CountDownLatch(1);

    Handler(int keys, long waitNanos) {
        next = new int[keys];
        this.waitNanos = waitNanos;
    }

    void handle(int key, byte[] value) {
        int number = Records.number(value);
        if (number != next[key]) {
            disorders.increment();
        }
        next[key] = number + 1;
        if (waitNanos > 0) {
            long end = System.nanoTime() + waitNanos;
            for (long left = waitNanos; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
        handled.increment();
        if (first.getCount() > 0) {
            first.countDown();
        }
    }

    /** Waits for the first record, and returns the number of records that have been handled. */
    long awaitFirst() throws InterruptedException {
        if (!first.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no record was handled in " + LONGEST_SECONDS + " s");
        }
        return handled.sum();
    }

    /** Waits until so many records have been handled. */
    void await(long records) throws InterruptedException {
        long last = -1;
        long changed = System.nanoTime();
        for (long now = handled.sum(); now < records; now = handled.sum()) {
            if (now != last) {
                last = now;
                changed = System.nanoTime();
            } else if (System.nanoTime() - changed > TimeUnit.SECONDS.toNanos(LONGEST_SECONDS)) {
                throw new IllegalStateException("stuck at " + now + " of " + records + " records");
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(LOOK_EVERY));
        }
    }

    long handled() {
        return handled.sum();
    }

    /** Returns the number of records that came before an earlier one of their key, or twice. */
    long disorders() {
        return disorders.sum();
    }
}
