// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DepartureBoardTest {

    private final DepartureBoard board = new DepartureBoard("JFK");

    @Test
    void draw_flightsOfAllKinds_areInOrderOfTheirSchedule() {
        announce(
                10 * 60 + 35,
                "3,1,1100,1101,1300,1300,DL,3,N3,JFK,ATL,762",
                "3,1,1030,1025,1300,1300,AA,1,N1,JFK,BOS,187",
                "3,1,1031,,1300,,B6,2345,N2,JFK,SJU,1598",
                "3,1,1020,1200,1300,1300,UA,4,N4,JFK,ORD,719");

        board.draw();

        assertThat(board.text()).isEqualTo("""
                        JFK departures, Fri 1 Mar 10:31
                          10:20  UA    4  ORD  delayed
                          10:30  AA    1  BOS  departed 10:25
                          10:31  B6 2345  SJU  cancelled
                          11:00  DL    3  ATL  on time
                        """);
        assertThat(board.drawings()).isEqualTo(1);
    }

    @Test
    void draw_flightsLongGone_areLeftOut() {
        announce(
                Integer.MAX_VALUE,
                "3,1,1000,1000,1300,1300,AA,1,N1,JFK,BOS,187",
                "3,1,1030,1030,1300,1300,AA,2,N1,JFK,BOS,187",
                "3,1,1031,1031,1300,1300,AA,3,N1,JFK,BOS,187");

        board.draw();

        assertThat(board.text().lines()).hasSize(3).noneMatch(line -> line.contains("10:00"));
    }

    @Test
    void draw_manyFlights_showsTheFirstOnes() {
        announce(12 * 60, Rows.many(600));

        board.draw();

        assertThat(board.text().lines()).hasSize(1 + DepartureBoard.ROWS);
    }

    @Test
    void draw_onceOrForEachEvent_endsAlike() {
        DepartureBoard often = new DepartureBoard("JFK");
        for (FlightEvent event : events(Rows.many(1200))) {
            board.announce(event);
            often.announce(event);
            often.draw();
        }
        board.draw();

        assertThat(board.text()).isEqualTo(often.text());
        assertThat(board.drawings()).isEqualTo(1);
        assertThat(often.drawings()).isEqualTo(2400);
    }

    /** Announces what happens to these flights until the given minute of the day. */
    private void announce(int untilMinuteOfDay, String... rows) {
        for (FlightEvent event : events(rows)) {
            if (Math.floorMod(event.minute(), LocalClock.DAY) < untilMinuteOfDay) {
                board.announce(event);
            }
        }
    }

    private static List<FlightEvent> events(String... rows) {
        return Timeline.of(Rows.flights(rows)).events().stream()
                .filter(event -> event.kind() != EventKind.LANDED)
                .toList();
    }
}
