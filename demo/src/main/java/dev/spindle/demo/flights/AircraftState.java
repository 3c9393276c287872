// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.util.List;
import java.util.Locale;

/**
 * The state of an {@link Aircraft} as a value.
 *
 * @param tail the name
 * @param whereabouts the known state of its movement
 * @param place the airport where it is or is heading; empty while unseen
 * @param since the minute since which whereabouts and place are valid
 * @param events the number of events handled
 * @param scheduled the number of announced flights
 * @param cancelled the number of cancelled flights
 * @param departures the number of accepted departures
 * @param landings the number of accepted landings
 * @param miles the distance of accepted departures
 * @param turnarounds the number of departures after a known landing
 * @param turnaroundMinutes the minutes from these landings to these departures, unrecorded return flights included
 * @param shortestTurnaround the shortest of these times, or -1 if there is none
 * @param lastArrivalDelay the delay of the last landing in minutes; 0 if not late
 * @param delayCarriedOver the total minutes of departure delay due to late landings before them
 * @param worstDelay the longest departure delay in minutes
 * @param leftInTheAir the number of rejected departures of an aircraft in the air
 * @param leftTooSoon the number of rejected departures from an airport that it could not have reached in time
 * @param landedUnseen the number of rejected landings of a flight that the aircraft was not on
 * @param work the number of atomic increments done
 * @param logbook a hash of all events in the order handled, different for different orders
 */
public record AircraftState(
        String tail,
        Whereabouts whereabouts,
        String place,
        int since,
        int events,
        int scheduled,
        int cancelled,
        int departures,
        int landings,
        long miles,
        int turnarounds,
        long turnaroundMinutes,
        int shortestTurnaround,
        int lastArrivalDelay,
        long delayCarriedOver,
        int worstDelay,
        int leftInTheAir,
        int leftTooSoon,
        int landedUnseen,
        long work,
        long logbook) {

    public int rejected() {
        return leftInTheAir + leftTooSoon + landedUnseen;
    }

    /** Returns a line with the numbers of rejected moves of all these aircraft by reason. */
    public static String rejections(List<AircraftState> states) {
        int inTheAir = states.stream().mapToInt(AircraftState::leftInTheAir).sum();
        int tooSoon = states.stream().mapToInt(AircraftState::leftTooSoon).sum();
        int unseen = states.stream().mapToInt(AircraftState::landedUnseen).sum();
        return String.format(
                Locale.ROOT,
                "%,d impossible moves rejected (departures in the air: %,d; from where the aircraft could not be: %,d; "
                        + "landings without a departure: %,d)",
                inTheAir + tooSoon + unseen,
                inTheAir,
                tooSoon,
                unseen);
    }
}
