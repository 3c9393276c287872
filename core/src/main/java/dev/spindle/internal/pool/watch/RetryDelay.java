// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool.watch;

import dev.spindle.internal.Pool;

/**
 * The delay after a failed attempt to start a thread or to look at the workers. The delay is proportional to the
 * duration of the failed attempt, so that attempts take only a small part of the time.
 */
public final class RetryDelay {
    /*
     * field    writers                     readers  mode
     * retry    the thread that failed      all      volatile, before `failing`
     * failing  the thread that attempts    all      volatile
     *
     * Tests: ClockThreadTest.
     */
    /** The minimum delay. Not measured. */
    public static final long LEAST_NANOS = 10_000_000;

    /** The ratio of the delay to the duration of the failed attempt. Not measured. */
    private static final int FACTOR = 4;

    private final Pool pool;
    volatile boolean failing; // true if the last attempt has failed
    private volatile long retry;

    public RetryDelay(Pool pool) {
        this.pool = pool;
    }

    /** Returns whether it is too early for another attempt. */
    boolean keepsOff() {
        return failing && pool.recentNanos() - retry < 0;
    }

    /** Returns the remaining delay, in nanoseconds. */
    public long left(long now) {
        return failing ? Math.max(0, retry - now) : 0;
    }

    /**
     * Returns the time at which an attempt starts: a reading of the user's clock, or the recent reading if the clock
     * throws.
     */
    long now() {
        try {
            return pool.nanoTime();
        } catch (Throwable t) {
            return pool.recentNanos();
        }
    }

    /** Records the failure of an attempt that started at {@code begin}. Returns the delay, in nanoseconds. */
    public long failed(long begin) {
        // ClockThread-3
        long now = now(); // not recentNanos(), which may precede a long garbage collection
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
