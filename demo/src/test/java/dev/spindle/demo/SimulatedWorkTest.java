// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.Rows;
import dev.spindle.demo.flights.Timeline;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedWorkTest {

    private final List<FlightEvent> events =
            Timeline.of(Rows.flights(Rows.many(5_000))).events();

    @Test
    void looksUp_manyEvents_isOneInAHundred() {
        SimulatedWork work = new SimulatedWork(1, 5, true);

        assertThat(events.stream().filter(work::looksUp).count()).isBetween(100L, 200L);
        assertThat(events.stream().filter(work.computing()::looksUp)).isEmpty();
    }

    @Test
    void perform_event_countsTheIncrements() {
        assertThat(new SimulatedWork(50, 0, true).perform(events.get(0))).isEqualTo(50);
    }

    @Test
    void perform_lookUp_takesAtLeastItsTimeWhetherAnnouncedOrNot() {
        for (boolean announced : new boolean[] {true, false}) {
            SimulatedWork work = new SimulatedWork(1, 10, announced);
            FlightEvent event =
                    events.stream().filter(work::looksUp).findFirst().orElseThrow();
            long start = System.nanoTime();

            work.perform(event);

            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(9_000_000);
        }
    }
}
