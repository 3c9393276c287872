// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/**
 * The figures of a run, so far or at its end.
 *
 * @param events the number of all events
 * @param handled the number of handled events
 * @param givenUp the number of events left out because the run took too long
 * @param wallNanos the time since the first event was handed over
 * @param threads the largest number of live platform threads
 * @param switches the number of times that one of these threads gave up its processor, or
 *     {@link ContextSwitches#UNKNOWN}
 * @param longestWaitNanos the longest time that an event waited for anything but its own aircraft
 * @param late the number of events that waited longer than {@link Measures#LATE_NANOS}
 * @param outOfOrder the number of events handled out of order
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

    /** Returns the number of events neither handled nor given up; at the end, these are lost. */
    long missing() {
        return events - handled - givenUp;
    }

    /** Returns these figures with the given total time. */
    Figures after(long nanos) {
        return new Figures(events, handled, givenUp, nanos, threads, switches, longestWaitNanos, late, outOfOrder);
    }
}
