// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.demo.flights.AircraftState;
import dev.spindle.demo.flights.Rows;
import dev.spindle.demo.flights.Timeline;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private static final String ROW = "3,1,800,810,1100,1130,AA,1,N1,JFK,LAX,2475";
    private static final String OTHER = "3,1,800,820,1100,1130,AA,1,N1,JFK,LAX,2475";
    private static final Figures ALL = new Figures(3, 3, 0, 1, 1, 1, 0, 0, 0);

    private final List<AircraftState> expected = states(ROW);

    @Test
    void of_equalRun_isClean() {
        Verdict verdict = Verdict.of(result(true, ALL, 0, null, ROW), expected);

        assertThat(verdict.passed()).isTrue();
        assertThat(verdict.notes()).isEmpty();
    }

    @Test
    void of_differentState_namesTheAircraftTheFieldAndBothValues() {
        Verdict verdict = Verdict.of(result(true, ALL, 0, null, OTHER), expected);

        assertThat(verdict.failures())
                .containsExactly("aircraft in another state than after the same events one by one: 1; "
                        + "the first is aircraft N1: worstDelay is 20 and not 10");
    }

    @Test
    void of_eventsOutOfOrder_failsOrIsNoted() {
        Figures figures = new Figures(3, 3, 0, 1, 1, 1, 0, 0, 7);

        assertThat(Verdict.of(result(true, figures, 0, null, ROW), expected).failures())
                .containsExactly("events out of order: 7");
        Verdict unpromised = Verdict.of(result(false, figures, 0, null, ROW), expected);
        assertThat(unpromised.passed()).isTrue();
        assertThat(unpromised.notes()).containsExactly("events out of order: 7, which it does not promise to keep");
    }

    @Test
    void of_failedTasks_failsAndNamesTheFirst() {
        RunResult run = result(true, ALL, 2, new IllegalStateException("boom"), ROW);

        assertThat(Verdict.of(run, expected).failures())
                .containsExactly("tasks failed: 2, the first with java.lang.IllegalStateException: boom");
    }

    @Test
    void of_eventsGivenUpOrLost_areToldApart() {
        Figures figures = new Figures(6, 3, 1, 2_000_000_000, 1, 1, 0, 0, 0);

        Verdict verdict = Verdict.of(result(true, figures, 0, null, OTHER), expected);

        assertThat(verdict.failures()).containsExactly("events lost: 2");
        assertThat(verdict.notes()).containsExactly("too slow for these arrivals: stopped after 2.0 s; events left: 1");
    }

    private static RunResult result(
            boolean promisesOrder, Figures figures, long failures, @Nullable Throwable failure, String row) {
        return new RunResult("run", promisesOrder, figures, 0, failures, failure, states(row));
    }

    private static List<AircraftState> states(String row) {
        Timeline timeline = Timeline.of(Rows.flights(row));
        return new Replay(timeline, new SimulatedWork(0, 0, true), Speed.MAX, 0)
                .reference()
                .states();
    }
}
