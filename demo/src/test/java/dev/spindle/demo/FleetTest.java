// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.demo.flights.AircraftState;
import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.Rows;
import dev.spindle.demo.flights.Timeline;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FleetTest {

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final Timeline timeline = Timeline.of(Rows.flights(Rows.GOOD, Rows.LANDING_UNKNOWN));
    private final List<FlightEvent> events = timeline.events();
    private final Measures measures = new Measures();

    @Test
    void handle_eventOfAFreeAircraft_hasWaitedSinceItWasHandedOver() {
        Fleet fleet = fleet(HOUR);

        fleet.handle(events.get(0), System.nanoTime() - 2 * HOUR);

        assertThat(measures.longestWaitNanos()).isBetween(2 * HOUR, 3 * HOUR);
        assertThat(measures.late()).isEqualTo(1);
    }

    @Test
    void handle_nextEventOfOneAircraft_hasNotWaitedForItsOwnEarlierOne() {
        Fleet fleet = fleet(HOUR);
        List<FlightEvent> ofOne =
                events.stream().filter(event -> event.aircraft() == 0).toList();

        fleet.handle(ofOne.get(0), System.nanoTime());
        fleet.handle(ofOne.get(1), System.nanoTime() - 2 * HOUR);

        assertThat(measures.longestWaitNanos()).isLessThan(HOUR);
        assertThat(measures.handled()).isEqualTo(2);
    }

    @Test
    void handle_nextEventOfAnotherAircraft_hasWaited() {
        Fleet fleet = fleet(HOUR);
        FlightEvent ofOne = first(0);
        FlightEvent ofAnother = first(1);

        fleet.handle(ofOne, System.nanoTime());
        fleet.handle(ofAnother, System.nanoTime() - 2 * HOUR);

        assertThat(measures.longestWaitNanos()).isGreaterThanOrEqualTo(2 * HOUR);
    }

    @Test
    void handle_afterTheDeadline_isGivenUp() {
        Fleet fleet = fleet(0);

        fleet.handle(events.get(0), System.nanoTime());

        assertThat(measures.handled()).isZero();
        assertThat(measures.givenUp()).isEqualTo(1);
        assertThat(fleet.states()).extracting(AircraftState::events).containsOnly(0);
    }

    @Test
    void airline_aircraftOfTwoAirlines_haveTwoNumbers() {
        Fleet fleet = fleet(HOUR);

        assertThat(List.of(
                        fleet.aircraftOf(first(0)).airline(),
                        fleet.aircraftOf(first(1)).airline()))
                .containsExactlyInAnyOrder(0, 1);
    }

    private FlightEvent first(int aircraft) {
        return events.stream()
                .filter(event -> event.aircraft() == aircraft)
                .findFirst()
                .orElseThrow();
    }

    private Fleet fleet(long timeLeft) {
        return new Fleet(timeline, new SimulatedWork(1, 0, true), measures, System.nanoTime() + timeLeft);
    }
}
