// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.util.List;
import java.util.Locale;

/**
 * The state of an aircraft as a value.
 *
 * @param tail the tail number
 * @param whereabouts the movement of the aircraft, as far as the data shows it
 * @param place the airport of the aircraft or of its destination; empty before the first move
 * @param since the minute of the last accepted move
 * @param events the number of handled events
 * @param scheduled the number of announced flights
 * @param cancelled the number of cancelled flights
 * @param departures the number of accepted departures
 * @param landings the number of accepted landings
 * @param miles the distance of accepted departures
 * @param turnarounds the number of departures after a known landing
 * @param turnaroundMinutes the sum of the minutes from these landings to these departures, including return flights
 *         that are not in the data
 * @param shortestTurnaround the minimum of the minutes from such a landing to the departure, or -1 if there is none
 * @param lastArrivalDelay the minutes by which the last landing was late; 0 if it was on time
 * @param delayCarriedOver the minutes of departure delay that were caused by late landings
 * @param worstDelay the longest departure delay in minutes
 * @param leftInTheAir the number of departures rejected because the aircraft was in the air
 * @param leftTooSoon the number of departures rejected because the aircraft could not have reached the airport in time
 * @param landedUnseen the number of landings rejected because the aircraft was not on the flight
 * @param work the number of atomic increments that were performed
 * @param logbook a hash that depends on the order in which the events were handled
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

    /** Returns a line with the numbers of rejected moves of all these aircraft, by reason. */
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
