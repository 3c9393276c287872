// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimelineTest {

    @Test
    void of_goodFlight_isAnnouncedDepartsAndLands() {
        assertThat(kinds(Rows.GOOD)).containsExactly(EventKind.SCHEDULED, EventKind.DEPARTED, EventKind.LANDED);
    }

    @Test
    void of_cancelledFlight_isAnnouncedAndCancelledAtItsTime() {
        Timeline timeline = Timeline.of(Rows.flights(Rows.CANCELLED));

        assertThat(timeline.events())
                .extracting(FlightEvent::kind)
                .containsExactly(EventKind.SCHEDULED, EventKind.CANCELLED);
        assertThat(timeline.events().get(1).minute())
                .isEqualTo(timeline.events().get(1).flight().scheduledAt());
    }

    @Test
    void of_landingUnknown_departsOnly() {
        assertThat(kinds(Rows.LANDING_UNKNOWN)).containsExactly(EventKind.SCHEDULED, EventKind.DEPARTED);
    }

    @Test
    void of_unassignedFlight_makesNoEvents() {
        Timeline timeline = Timeline.of(Rows.flights(Rows.UNASSIGNED));

        assertThat(timeline.tails()).isEmpty();
        assertThat(timeline.events()).isEmpty();
    }

    @Test
    void of_earliestPossibleDeparture_comesAfterItsAnnouncement() {
        assertThat(kinds("3,1,1000,900,1200,1100,AA,11,N1AA,JFK,BOS,187"))
                .containsExactly(EventKind.SCHEDULED, EventKind.DEPARTED, EventKind.LANDED);
    }

    @Test
    void of_shuffledFlights_areInTheSameOrder() {
        List<Flight> flights = new ArrayList<>(Rows.flights(Rows.many(2000)));
        Timeline expected = Timeline.of(flights);
        Collections.shuffle(flights, new Random(42));

        assertThat(Timeline.of(flights)).isEqualTo(expected);
        assertThat(expected.events()).isSortedAccordingTo((a, b) -> Integer.compare(a.minute(), b.minute()));
    }

    @Test
    void of_sameMinute_ordersByLineThenByKind() {
        Timeline timeline = Timeline.of(Rows.flights(
                "3,1,1000,1000,1000,1000,AA,1,N1,JFK,BOS,187", "3,1,1000,1000,1100,1100,AA,2,N2,JFK,BOS,187"));

        assertThat(timeline.events().subList(2, 5))
                .extracting(event -> event.flight().line() + " " + event.kind())
                .containsExactly("2 DEPARTED", "2 LANDED", "3 DEPARTED");
    }

    @Test
    void of_manyFlights_numbersTheEventsOfEachAircraft() {
        Map<Integer, Integer> next = new HashMap<>();
        for (FlightEvent event : Timeline.of(Rows.flights(Rows.many(500))).events()) {
            int expected = next.getOrDefault(event.aircraft(), 0);
            assertThat(event.sequence()).isEqualTo(expected);
            next.put(event.aircraft(), expected + 1);
        }
        assertThat(next).hasSize(37);
    }

    @Test
    void head_count_keepsTheFirstEventsAndAllAircraft() {
        Timeline timeline = Timeline.of(Rows.flights(Rows.many(50)));

        assertThat(timeline.head(10).events()).isEqualTo(timeline.events().subList(0, 10));
        assertThat(timeline.head(10).tails()).isEqualTo(timeline.tails());
        assertThat(timeline.head(1_000_000)).isEqualTo(timeline);
    }

    private static List<EventKind> kinds(String row) {
        return Timeline.of(Rows.flights(row)).events().stream()
                .map(FlightEvent::kind)
                .toList();
    }
}
