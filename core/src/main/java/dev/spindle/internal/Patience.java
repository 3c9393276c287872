// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Lets threads outside a pool stay awake for a moment while they wait for the future of a short task, where that pays: two
 * system calls and the time in which a sleeping processor wakes cost more than most small tasks. At most every second
 * processor is kept awake so, and none where futures take longer.
 */
public final class Patience {
    /** How long a waiter stays awake: about as long as a sleeping worker takes to wake and to run a small task. */
    private static final long STAY_NANOS = 50_000;

    private static final int MAX_ROUNDS = 1_000; // an end for a clock that stands still

    private final SearchHabit habit;
    private final LongSupplier clock;
    private final AtomicInteger staying = new AtomicInteger();
    private final int most;

    /** Creates the patience of a pool on a machine with so many processors. */
    Patience(int processors, LongSupplier clock) {
        this.clock = clock;
        habit = new SearchHabit(processors);
        most = Math.max(1, processors / 2);
    }

    /** Waits for {@code future} for a moment, up to {@code nanos}, if that is likely to suffice. */
    public void await(Future<?> future, long nanos) {
        if (nanos < STAY_NANOS || future.isDone() || !habit.isWorthwhile()) {
            return;
        }
        if (staying.incrementAndGet() <= most) {
            long end = clock.getAsLong() + STAY_NANOS;
            int rounds = 0;
            boolean done;
            do {
                for (int i = 0; i < 16 && !future.isDone(); i++) {
                    Thread.onSpinWait();
                }
                done = future.isDone();
                if (!done) {
                    Thread.yield(); // the worker may need this processor
                }
            } while (!done && clock.getAsLong() - end < 0 && ++rounds < MAX_ROUNDS);
            habit.note(done);
        }
        staying.decrementAndGet();
    }
}
