// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.Pool;

/**
 * The delay after a failed attempt, which could not start a thread or exhausted memory. The delay grows with the time
 * that the failed attempt took: an attempt that exhausts memory makes the JVM collect all garbage, which may take
 * longer than any fixed delay.
 */
final class RetryDelay {
    /*
     * field    writers                     readers  mode
     * retry    the thread that failed      all      volatile, before `failing`
     * failing  the thread that attempts    all      volatile
     *
     * Tests: ClockThreadTest, MemoryExhaustionTest.
     */
    /** The least delay. */
    static final long LEAST_NANOS = 10_000_000;

    /** The ratio of the delay to the time of the failed attempt. */
    private static final int FACTOR = 4;

    private final Pool pool;
    private volatile boolean failing;
    private volatile long retry;

    RetryDelay(Pool pool) {
        this.pool = pool;
    }

    /** Returns whether the last attempt has failed. */
    boolean isFailing() {
        return failing;
    }

    /** Returns whether it is too early for another attempt. */
    boolean keepsOff() {
        return failing && pool.recentNanos() - retry < 0;
    }

    /** Returns the remaining delay, in nanoseconds. */
    long left(long now) {
        return failing ? Math.max(0, retry - now) : 0;
    }

    /** Returns the current time, or a recent time if the user's clock fails, as the start of an attempt. */
    long now() {
        try {
            return pool.nanoTime();
        } catch (Throwable t) {
            return pool.recentNanos();
        }
    }

    /** Records the failure of an attempt that started at {@code begin}; returns the delay. */
    long failed(long begin) {
        // ClockThread-3
        long now = now(); // not recentNanos(), which may be from before a long collection
        long delay = Math.max(LEAST_NANOS, FACTOR * (now - begin));
        retry = now + delay;
        failing = true;
        return delay;
    }

    /** Records a success. */
    void succeeded() {
        failing = false;
    }
}
