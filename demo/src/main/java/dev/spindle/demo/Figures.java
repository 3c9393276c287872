// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/**
 * The figures of a run, during the run or at its end.
 *
 * @param events the number of all events
 * @param handled the number of handled events
 * @param givenUp the number of events that were not handled because the deadline had passed
 * @param wallNanos the time since the start of the run
 * @param threads the peak number of live platform threads
 * @param switches the number of voluntary context switches of these threads, or {@link ContextSwitches#UNKNOWN}
 * @param longestWaitNanos the longest time that an event waited while its aircraft was free
 * @param late the number of events that waited longer than {@link Measures#LATE_NANOS}
 * @param outOfOrder the number of events that were handled out of order
 */
record Figures(
        long events,
        long handled,
        long givenUp,
        long wallNanos,
        long threads,
        long switches,
        long longestWaitNanos,
        long late,
        long outOfOrder) {

    /** Returns the number of events neither handled nor given up. After the end of a run, these events are lost. */
    long missing() {
        return events - handled - givenUp;
    }

    /** Returns these figures with another elapsed time. */
    Figures after(long nanos) {
        return new Figures(events, handled, givenUp, nanos, threads, switches, longestWaitNanos, late, outOfOrder);
    }
}
