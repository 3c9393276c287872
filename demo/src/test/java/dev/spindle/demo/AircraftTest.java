// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.demo.flights.AircraftState;
import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.Rows;
import dev.spindle.demo.flights.Timeline;
import dev.spindle.demo.flights.Whereabouts;
import java.util.List;
import org.junit.jupiter.api.Test;

class AircraftTest {

    private static final String TO_LOS_ANGELES = "3,1,800,810,1100,1130,AA,1,N1,JFK,LAX,2475";
    private static final SimulatedWork NO_WORK = new SimulatedWork(0, 0, true);

    @Test
    void take_wholeFlight_isParkedAtTheDestination() {
        AircraftState state = after(TO_LOS_ANGELES);

        assertThat(state.whereabouts()).isEqualTo(Whereabouts.PARKED);
        assertThat(state.place()).isEqualTo("LAX");
        assertThat(state.events()).isEqualTo(3);
        assertThat(state.scheduled()).isEqualTo(1);
        assertThat(state.departures()).isEqualTo(1);
        assertThat(state.landings()).isEqualTo(1);
        assertThat(state.miles()).isEqualTo(2475);
        assertThat(state.worstDelay()).isEqualTo(10);
        assertThat(state.lastArrivalDelay()).isEqualTo(30);
        assertThat(state.shortestTurnaround()).isEqualTo(-1);
        assertThat(state.rejected()).isZero();
    }

    @Test
    void take_nothing_isUnseen() {
        AircraftState state = new Aircraft("N1", 0).state();

        assertThat(state.whereabouts()).isEqualTo(Whereabouts.UNSEEN);
        assertThat(state.events()).isZero();
    }

    @Test
    void take_cancelledFlight_movesNothing() {
        AircraftState state = after(TO_LOS_ANGELES, "3,1,2000,,2300,,AA,2,N1,JFK,LAX,2475");

        assertThat(state.cancelled()).isEqualTo(1);
        assertThat(state.place()).isEqualTo("LAX");
        assertThat(state.departures()).isEqualTo(1);
    }

    @Test
    void take_departureAfterTheUnseenFlightBack_isATurnaround() {
        AircraftState state = after(TO_LOS_ANGELES, "3,1,2000,2020,2300,2310,AA,2,N1,JFK,LAX,2475");

        assertThat(state.rejected()).isZero();
        assertThat(state.departures()).isEqualTo(2);
        assertThat(state.turnarounds()).isEqualTo(1);
        assertThat(state.turnaroundMinutes()).isEqualTo(8 * 60 + 50);
        assertThat(state.shortestTurnaround()).isEqualTo(8 * 60 + 50);
        assertThat(state.delayCarriedOver()).isEqualTo(20);
    }

    @Test
    void take_punctualDepartureAfterALateLanding_carriesNoDelayOver() {
        AircraftState state = after(TO_LOS_ANGELES, "3,1,2000,1955,2300,2310,AA,2,N1,JFK,LAX,2475");

        assertThat(state.delayCarriedOver()).isZero();
    }

    @Test
    void take_departureFromWhereItLanded_needsNoFlightBack() {
        AircraftState state =
                after("3,1,800,800,900,900,AA,1,N1,JFK,EWR,20", "3,1,901,901,1100,1100,AA,2,N1,EWR,BOS,200");

        assertThat(state.rejected()).isZero();
        assertThat(state.shortestTurnaround()).isEqualTo(1);
    }

    @Test
    void take_departureInTheAir_isRejectedWithItsLanding() {
        AircraftState state = after(TO_LOS_ANGELES, "3,1,1000,1000,1300,1300,AA,2,N1,JFK,MIA,1089");

        assertThat(state.leftInTheAir()).isEqualTo(1);
        assertThat(state.landedUnseen()).isEqualTo(1);
        assertThat(state.leftTooSoon()).isZero();
        assertThat(state.place()).isEqualTo("LAX");
        assertThat(state.departures()).isEqualTo(1);
        assertThat(state.miles()).isEqualTo(2475);
    }

    @Test
    void take_departureTooSoonAfterAFarLanding_isRejectedWithItsLanding() {
        AircraftState state = after(TO_LOS_ANGELES, "3,1,1300,1300,1600,1600,AA,2,N1,JFK,MIA,1089");

        assertThat(state.leftTooSoon()).isEqualTo(1);
        assertThat(state.landedUnseen()).isEqualTo(1);
        assertThat(state.leftInTheAir()).isZero();
        assertThat(state.place()).isEqualTo("LAX");
    }

    @Test
    void take_departureAtTheLastPossibleMinute_isAccepted() {
        // 2,475 miles take 247 minutes, 60 of which may be due to the destination's clock: 11:30 + 187 = 14:37.
        assertThat(after(TO_LOS_ANGELES, "3,1,1437,1437,1700,1700,AA,2,N1,JFK,MIA,1089")
                        .leftTooSoon())
                .isZero();
        assertThat(after(TO_LOS_ANGELES, "3,1,1436,1436,1700,1700,AA,2,N1,JFK,MIA,1089")
                        .leftTooSoon())
                .isEqualTo(1);
    }

    @Test
    void take_departureAfterAnUnknownLanding_isAccepted() {
        AircraftState state =
                after("3,1,800,810,1100,,AA,1,N1,JFK,LAX,2475", "3,1,900,900,1200,1200,AA,2,N1,JFK,MIA,1089");

        assertThat(state.rejected()).isZero();
        assertThat(state.departures()).isEqualTo(2);
        assertThat(state.turnarounds()).isZero();
        assertThat(state.place()).isEqualTo("MIA");
    }

    @Test
    void take_unknownLanding_isUntracked() {
        assertThat(after("3,1,800,810,1100,,AA,1,N1,JFK,LAX,2475").whereabouts())
                .isEqualTo(Whereabouts.UNTRACKED);
    }

    @Test
    void take_work_isCounted() {
        assertThat(after(new SimulatedWork(50, 0, true), TO_LOS_ANGELES).work()).isEqualTo(150);
    }

    @Test
    void take_swappedEvents_areOneOutOfOrderAndAnotherState() {
        List<FlightEvent> events = Timeline.of(Rows.flights(TO_LOS_ANGELES)).events();
        Aircraft aircraft = new Aircraft("N1", 0);

        assertThat(aircraft.take(events.get(1), NO_WORK)).isTrue();
        assertThat(aircraft.take(events.get(0), NO_WORK)).isFalse();
        assertThat(aircraft.take(events.get(2), NO_WORK)).isTrue();
        assertThat(aircraft.state()).isNotEqualTo(after(TO_LOS_ANGELES));
    }

    @Test
    void take_eventTwice_isOutOfOrder() {
        FlightEvent event = Timeline.of(Rows.flights(TO_LOS_ANGELES)).events().get(0);
        Aircraft aircraft = new Aircraft("N1", 0);

        assertThat(aircraft.take(event, NO_WORK)).isTrue();
        assertThat(aircraft.take(event, NO_WORK)).isFalse();
    }

    @Test
    void readyAt_beforeOrAfterTheLastEventEnded_isTheLaterTime() {
        Aircraft aircraft = new Aircraft("N1", 0);
        assertThat(aircraft.readyAt(-50)).isEqualTo(-50);

        aircraft.free(100);

        assertThat(aircraft.readyAt(50)).isEqualTo(100);
        assertThat(aircraft.readyAt(150)).isEqualTo(150);
    }

    private static AircraftState after(String... rows) {
        return after(NO_WORK, rows);
    }

    private static AircraftState after(SimulatedWork work, String... rows) {
        Aircraft aircraft = new Aircraft("N1", 0);
        for (FlightEvent event : Timeline.of(Rows.flights(rows)).events()) {
            assertThat(aircraft.take(event, work)).isTrue();
        }
        return aircraft.state();
    }
}
