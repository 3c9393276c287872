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
 *   <li>a departure is at most {@value #EARLIEST_DEPARTURE} minutes early; any other difference means a delay of less
 *       than a day. For example, 00:05 for a flight scheduled at 23:50 is on the next day, and 23:55 for a flight
 *       scheduled at 00:10 is on the previous day;
 *   <li>a landing whose clock time is before that of the departure is on the next day;
 *   <li>an arrival is at most {@value #EARLIEST_ARRIVAL} minutes early; any other difference means a delay of less than
 *       a day.
 * </ul>
 */
final class LocalClock {

    static final int DAY = 24 * 60;
    static final int EARLIEST_DEPARTURE = 60;
    static final int EARLIEST_ARRIVAL = 120;

    private LocalClock() {}

    /**
     * Returns the minutes from the clock time {@code scheduled} to {@code actual} of a departure; negative if early.
     */
    static int departureDelay(int scheduled, int actual) {
        return delay(scheduled, actual, EARLIEST_DEPARTURE);
    }

    /** Returns the minutes from the clock time {@code scheduled} to {@code actual} of an arrival; negative if early. */
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
