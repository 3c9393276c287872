// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

/**
 * Converts the clock times of the data, which have no date, to minutes since 1970.
 *
 * <p>The data contains the local time of the airport without a time zone. The demo uses these times as they are, and
 * derives the missing date by three rules:
 *
 * <ul>
 *   <li>a departure belongs to the day on which it is at most {@value #EARLIEST_DEPARTURE} minutes early, and else less
 *       than a day late: 00:05 for a flight due at 23:50 is the next day, 23:55 for one due at 00:10 the day before;
 *   <li>a landing whose clock is smaller than that of the departure is on the next day;
 *   <li>an arrival is at most {@value #EARLIEST_ARRIVAL} minutes early, and else less than a day late.
 * </ul>
 */
final class LocalClock {

    static final int DAY = 24 * 60;
    static final int EARLIEST_DEPARTURE = 60;
    static final int EARLIEST_ARRIVAL = 120;

    private LocalClock() {}

    /**
     * Returns the minutes by which a departure at clock time {@code actual} is later than {@code scheduled}; negative
     * if early.
     */
    static int departureDelay(int scheduled, int actual) {
        return delay(scheduled, actual, EARLIEST_DEPARTURE);
    }

    /**
     * Returns the minutes by which an arrival at clock time {@code actual} is later than {@code scheduled}; negative if
     * early.
     */
    static int arrivalDelay(int scheduled, int actual) {
        return delay(scheduled, actual, EARLIEST_ARRIVAL);
    }

    /** Returns the minutes from a departure to the landing, each by its local clock. */
    static int flightTime(int departed, int landed) {
        return landed - departed + (landed < departed ? DAY : 0);
    }

    private static int delay(int scheduled, int actual, int earliest) {
        return Math.floorMod(actual - scheduled + earliest, DAY) - earliest;
    }
}
