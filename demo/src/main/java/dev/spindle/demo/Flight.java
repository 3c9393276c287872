// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import org.jspecify.annotations.Nullable;

/**
 * One row of the flight data, with its clock times resolved to minutes since 1970 (see {@link LocalClock}).
 *
 * @param line the line of the file it came from, which also tells equal flights apart
 * @param tail the aircraft, or null where the row names none
 * @param distance miles
 * @param scheduledAt scheduled departure
 * @param departedAt actual departure, or {@link #UNKNOWN}: then the flight was cancelled
 * @param landedAt actual landing, or {@link #UNKNOWN}: cancelled, diverted or not reported
 * @param arrivalDelay minutes after the scheduled arrival, negative when early, 0 when not known
 */
record Flight(
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

    /** Stands for a time that the data does not have. */
    static final int UNKNOWN = -1;

    boolean departed() {
        return departedAt != UNKNOWN;
    }

    boolean landed() {
        return landedAt != UNKNOWN;
    }

    /** Minutes after the scheduled departure, negative when early, 0 for a flight that never left. */
    int departureDelay() {
        return departed() ? departedAt - scheduledAt : 0;
    }
}
