// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/**
 * What a run has cost so far, or in the end.
 *
 * @param events how many there are in all
 * @param handled how many have been handled
 * @param givenUp how many were left out since the run took too long
 * @param wallNanos since the first one was handed over
 * @param threads the most platform threads that lived at once
 * @param switches how often one of them gave up its processor, or {@link ContextSwitches#UNKNOWN}
 * @param longestWaitNanos the longest time that an event was kept by anything but its own aircraft
 * @param late how many events were kept for longer than {@link Measures#LATE_NANOS}
 * @param outOfOrder how many events were handled out of order
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

    /** How many were neither handled nor given up; in the end, these are lost. */
    long missing() {
        return events - handled - givenUp;
    }

    /** The same figures of a run that ended after so long. */
    Figures after(long nanos) {
        return new Figures(events, handled, givenUp, nanos, threads, switches, longestWaitNanos, late, outOfOrder);
    }
}
