// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

/**
 * Converts the clock times of the data, which have no date, to minutes since 1970.
 *
 * <p>The data contains the local times of the airports, without time zones. The demo uses the local times unchanged,
 * and derives the date by three rules:
 *
 * <ul>
 *   <li>the day of a departure is such that the departure is at most {@value #EARLIEST_DEPARTURE} minutes early or else
 *       late by less than a day. For example, a departure at 00:05 is on the day after a departure scheduled at 23:50;
 *   <li>a landing is on the next day if its clock time is before that of the departure;
 *   <li>the day of an arrival is such that the arrival is at most {@value #EARLIEST_ARRIVAL} minutes early or else late
 *       by less than a day.
 * </ul>
 */
final class LocalClock {

    static final int DAY = 24 * 60;
    static final int EARLIEST_DEPARTURE = 60;
    static final int EARLIEST_ARRIVAL = 120;

    private LocalClock() {}

    /** Returns the delay of a departure in minutes, given two clock times; negative for an early departure. */
    static int departureDelay(int scheduled, int actual) {
        return delay(scheduled, actual, EARLIEST_DEPARTURE);
    }

    /** Returns the delay of an arrival in minutes, given two clock times; negative for an early arrival. */
    static int arrivalDelay(int scheduled, int actual) {
        return delay(scheduled, actual, EARLIEST_ARRIVAL);
    }

    /** Returns the minutes from a departure to the landing, both in local time. */
    static int flightTime(int departed, int landed) {
        return landed - departed + (landed < departed ? DAY : 0);
    }

    private static int delay(int scheduled, int actual, int earliest) {
        return Math.floorMod(actual - scheduled + earliest, DAY) - earliest;
    }
}
