// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WorldTest {

    private final Timeline timeline =
            Timeline.of(Rows.flights(Rows.GOOD, Rows.CANCELLED, Rows.UNASSIGNED, Rows.LANDING_UNKNOWN));

    @Test
    void count_allKinds_areCountedByKindAndAirline() {
        World world = new World(timeline, 0);
        timeline.events().forEach(world.tally()::count);

        assertThat(world.tally().total()).isEqualTo(timeline.events().size());
        assertThat(world.tally().counts())
                .containsEntry("events SCHEDULED", 4L)
                .containsEntry("events DEPARTED", 2L)
                .containsEntry("events CANCELLED", 2L)
                .containsEntry("events LANDED", 1L)
                .containsEntry("airline UA", 4L)
                .containsEntry("airline AA", 3L)
                .containsEntry("events with no aircraft", 2L);
    }

    @Test
    void count_unknownAirline_isRefused() {
        World world = new World(timeline, 0);
        FlightEvent foreign = foreign();

        assertThatThrownBy(() -> world.tally().count(foreign)).hasMessageContaining("ZZ");
    }

    @Test
    void boardOf_unknownAirport_isRefused() {
        World world = new World(timeline, 0);
        FlightEvent foreign = foreign();

        assertThatThrownBy(() -> world.boardOf(foreign)).hasMessageContaining("QQQ");
    }

    @Test
    void keys_aircraftAndAirportOfOneName_areDifferent() {
        Object aircraft = new AircraftKey("JFK");
        Object airport = new AirportKey("JFK");

        assertThat(aircraft).isNotEqualTo(airport);
        assertThat(aircraft).isEqualTo(new AircraftKey("JFK"));
    }

    private static FlightEvent foreign() {
        return Timeline.of(Rows.flights("3,1,1000,1005,1200,1210,ZZ,11,N1AA,QQQ,BOS,187"))
                .events()
                .get(0);
    }
}
