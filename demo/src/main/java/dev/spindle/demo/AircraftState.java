// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.List;
import java.util.Locale;

/**
 * Everything an {@link Aircraft} has become, as a value.
 *
 * @param tail its name
 * @param whereabouts what is known of its place
 * @param place where it is or is heading; empty while unseen
 * @param since the minute from which that holds
 * @param events how many events it took
 * @param scheduled flights announced
 * @param cancelled flights called off
 * @param departures accepted departures
 * @param landings accepted landings
 * @param miles flown on accepted departures
 * @param turnarounds departures that followed a known landing
 * @param turnaroundMinutes minutes from these landings to these departures, the unseen flight back included
 * @param shortestTurnaround the shortest of them, or -1 if there is none
 * @param lastArrivalDelay minutes its last landing was late, which it brings along; 0 when not late
 * @param delayCarriedOver minutes of departure delay, in total, that a late landing before it accounts for
 * @param worstDelay the longest departure delay in minutes
 * @param leftInTheAir rejected: departures of an aircraft that was still flying
 * @param leftTooSoon rejected: departures from where it could not have got to in time
 * @param landedUnseen rejected: landings of a flight that the aircraft was not on
 * @param work atomic increments done
 * @param logbook a hash over all its events in the order taken, so that no two orders end alike
 */
record AircraftState(
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

    int rejected() {
        return leftInTheAir + leftTooSoon + landedUnseen;
    }

    /** How many moves of all these aircraft were rejected, and why, in one line. */
    static String rejections(List<AircraftState> states) {
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
