// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * The delay until the next attempt after one that has failed, for want of a thread or of memory. It grows with what the
 * attempt has taken: one that finds no memory has the JVM collect all of it, which may take longer than any fixed
 * delay.
 */
final class RetryDelay {
    /*
     * field    writers                  readers  mode
     * retry    the thread that failed   all      volatile, before `failing`
     * failing  the thread that tries    all      volatile
     *
     * Tests: ClockThreadTest, MemoryExhaustionTest.
     */
    /** The least there is. */
    static final long LEAST_NANOS = 10_000_000;

    /** By what the time of a failed attempt is multiplied. */
    private static final int FACTOR = 4;

    private final WorkerPool pool;
    private volatile boolean failing;
    private volatile long retry;

    RetryDelay(WorkerPool pool) {
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

    /** Returns how much of the delay is left, in nanoseconds. */
    long left(long now) {
        return failing ? Math.max(0, retry - now) : 0;
    }

    /** Returns the time, or a recent one if the user's clock fails: the begin of an attempt. */
    long now() {
        try {
            return pool.nanoTime();
        } catch (Throwable t) {
            return pool.recentNanos();
        }
    }

    /** Notes that an attempt has failed that began at {@code begin}; returns the delay. */
    long failed(long begin) {
        long now = now(); // not a recent time: that of before a long collection makes no delay
        long delay = Math.max(LEAST_NANOS, FACTOR * (now - begin));
        retry = now + delay;
        failing = true;
        return delay;
    }

    /** Notes a success. */
    void succeeded() {
        failing = false;
    }
}
