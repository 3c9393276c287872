// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Spins for a moment in threads outside a pool that wait for the future of a short task, where that pays: two
 * system calls and the time in which a sleeping processor wakes cost more than most small tasks. At most every second
 * processor is kept awake so, and none where futures take longer.
 */
final class WaiterSpin {
    /** How long a waiter stays awake: about as long as a sleeping worker takes to wake and to run a small task. */
    private static final long STAY_NANOS = 50_000;

    private final AdaptiveSpin habit;
    private final AtomicInteger staying = new AtomicInteger();
    private final int most;

    /** Creates the patience of a pool on a machine with so many processors. */
    WaiterSpin(int processors, LongSupplier clock) {
        habit = new AdaptiveSpin(processors, clock);
        most = Math.max(1, processors / 2);
    }

    /** Waits for {@code done} for a moment, up to {@code nanos}, if that is likely to suffice. */
    void await(BooleanSupplier done, long nanos) {
        if (nanos < STAY_NANOS || done.getAsBoolean() || !habit.isWorthwhile()) {
            return;
        }
        if (staying.incrementAndGet() <= most) {
            habit.search(done, STAY_NANOS);
        }
        staying.decrementAndGet();
    }
}
