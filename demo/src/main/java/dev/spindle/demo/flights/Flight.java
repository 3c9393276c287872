// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import org.jspecify.annotations.Nullable;

/**
 * One row of the flight data, with clock times resolved to minutes since 1970 (see {@link LocalClock}).
 *
 * @param line the line in the file, which also distinguishes equal flights
 * @param tail the aircraft, or null if the row names none
 * @param distance the distance in miles
 * @param scheduledAt the scheduled departure
 * @param departedAt the actual departure, or {@link #UNKNOWN} if the flight was cancelled
 * @param landedAt the actual landing, or {@link #UNKNOWN} if the flight was cancelled, diverted or not reported
 * @param arrivalDelay the minutes after the scheduled arrival, negative if early, 0 if not known
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

    /** Returns the minutes after the scheduled departure, negative if early, 0 for a flight that never departed. */
    public int departureDelay() {
        return departed() ? departedAt - scheduledAt : 0;
    }
}
