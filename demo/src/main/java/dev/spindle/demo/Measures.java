// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What the tasks of one run add up; thread-safe, so that progress can be shown meanwhile. */
final class Measures {

    /** An event that waited longer than this for others is counted as late. */
    static final long LATE_NANOS = 1_000_000;

    private final LongAdder handled = new LongAdder();
    private final LongAdder givenUp = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder outOfOrder = new LongAdder();
    private final LongAccumulator longestWait = new LongAccumulator(Math::max, 0);

    /**
     * Enters an event.
     *
     * @param waitNanos how long it was kept from beginning by anything but its own aircraft
     * @param inOrder whether it began after all earlier ones of its aircraft, and before all later ones
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

    /** Enters an event that is not handled any more. */
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
