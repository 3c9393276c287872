// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import org.jspecify.annotations.Nullable;

/**
 * One row of the flight data, with its times converted to minutes since 1970 (see {@link LocalClock}).
 *
 * @param line the line number in the file, which distinguishes rows with equal values
 * @param tail the tail number of the aircraft, or null if the row has none
 * @param distance the distance in miles
 * @param scheduledAt the minute of the scheduled departure
 * @param departedAt the minute of the actual departure, or {@link #UNKNOWN} if the flight was cancelled
 * @param landedAt the minute of the actual landing, or {@link #UNKNOWN} if the flight was cancelled or diverted, or if
 *         the landing was not reported
 * @param arrivalDelay the minutes from the scheduled to the actual arrival; negative if early, 0 if unknown
 */
public record Flight(
        int line,
        String carrier,
        int number,
        @Nullable String tail,
        String origin,
        String destination,
        int distance,
        int scheduledAt,
        int departedAt,
        int landedAt,
        int arrivalDelay) {

    /** A time that the data does not contain. */
    public static final int UNKNOWN = -1;

    public boolean departed() {
        return departedAt != UNKNOWN;
    }

    public boolean landed() {
        return landedAt != UNKNOWN;
    }

    /**
     * Returns the minutes from the scheduled to the actual departure; negative if early, 0 if the flight was cancelled.
     */
    public int departureDelay() {
        return departed() ? departedAt - scheduledAt : 0;
    }
}
