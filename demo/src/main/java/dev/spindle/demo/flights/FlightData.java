// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The valid rows of one source, and the faults of its malformed rows.
 *
 * @param source the name of the source, for messages
 * @param flights the valid rows in the order of the file
 * @param faults the messages of the first malformed rows, each with the line number, the column and the value
 * @param malformed the number of malformed rows
 * @param brokenOff a message with the line and the cause if the source could not be read completely, or null
 */
public record FlightData(
        String source,
        List<Flight> flights,
        List<String> faults,
        long malformed,
        @Nullable String brokenOff) {

    public FlightData {
        flights = List.copyOf(flights);
        faults = List.copyOf(faults);
    }

    public boolean sound() {
        return malformed == 0 && brokenOff == null;
    }

    public long unassigned() {
        return flights.stream().filter(flight -> flight.tail() == null).count();
    }

    public long landingsUnknown() {
        return flights.stream()
                .filter(flight -> flight.departed() && !flight.landed())
                .count();
    }

    public long cancelled() {
        return flights.stream().filter(flight -> !flight.departed()).count();
    }
}
