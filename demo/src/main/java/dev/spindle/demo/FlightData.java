// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was read from one source: the good rows, and what was wrong with the others.
 *
 * @param source the name of the source, for messages
 * @param flights the good rows in the order of the file
 * @param faults the first malformed rows, as messages with line number, column and value
 * @param malformed how many rows were malformed in total
 * @param brokenOff where and why the source broke off before its end, or null if it was read to the end
 */
record FlightData(
        String source,
        List<Flight> flights,
        List<String> faults,
        long malformed,
        @Nullable String brokenOff) {

    FlightData {
        flights = List.copyOf(flights);
        faults = List.copyOf(faults);
    }

    boolean sound() {
        return malformed == 0 && brokenOff == null;
    }

    long unassigned() {
        return flights.stream().filter(flight -> flight.tail() == null).count();
    }

    long landingsUnknown() {
        return flights.stream()
                .filter(flight -> flight.departed() && !flight.landed())
                .count();
    }

    long cancelled() {
        return flights.stream().filter(flight -> !flight.departed()).count();
    }
}
