// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A clock that advances as its tasks run, by a millisecond per task at most. It hides times in which the machine ran no
 * worker, which would make the pool add one.
 */
final class FlowClock implements LongSupplier, Runnable {
    private static final long MOST_BETWEEN_TASKS = 1_000_000;

    /** The number of tasks that have run. */
    final AtomicLong ended = new AtomicLong();

    private final AtomicLong last = new AtomicLong(System.nanoTime());
    private final AtomicLong now = new AtomicLong();

    @Override
    public long getAsLong() {
        return now.get();
    }

    @Override
    public void run() {
        long time = System.nanoTime();
        now.addAndGet(Math.min(MOST_BETWEEN_TASKS, Math.max(0, time - last.getAndSet(time))));
        ended.incrementAndGet();
    }
}
