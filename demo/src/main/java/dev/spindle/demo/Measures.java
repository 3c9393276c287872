// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Counts the tasks of one run. This class is thread-safe, because the progress is shown during the run. */
final class Measures {

    /** The wait in nanoseconds above which an event is late. */
    static final long LATE_NANOS = 1_000_000;

    private final LongAdder handled = new LongAdder();
    private final LongAdder givenUp = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder outOfOrder = new LongAdder();
    private final LongAccumulator longestWait = new LongAccumulator(Math::max, 0);

    /**
     * Counts a handled event.
     *
     * @param waitNanos the time that the event waited while its aircraft was free
     * @param inOrder true if the event began after all earlier events of its aircraft and before all later ones
     */
    void handled(long waitNanos, boolean inOrder) {
        handled.increment();
        longestWait.accumulate(waitNanos);
        if (waitNanos > LATE_NANOS) {
            late.increment();
        }
        if (!inOrder) {
            outOfOrder.increment();
        }
    }

    /** Counts an event that was not handled because the deadline had passed. */
    void gaveUp() {
        givenUp.increment();
    }

    long handled() {
        return handled.sum();
    }

    long givenUp() {
        return givenUp.sum();
    }

    long late() {
        return late.sum();
    }

    long outOfOrder() {
        return outOfOrder.sum();
    }

    long longestWaitNanos() {
        return longestWait.get();
    }
}
