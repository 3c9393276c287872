// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private static final String ROW = "3,1,800,810,1100,1130,AA,1,N1,JFK,LAX,2475";
    private static final String OTHER = "3,1,800,820,1100,1130,AA,1,N1,JFK,LAX,2475";

    private final RunResult reference = result(0, 0, null, ROW, "board", 3);

    @Test
    void of_equalRun_passes() {
        Verdict verdict = Verdict.of(result(0, 0, null, ROW, "board", 3), reference);

        assertThat(verdict.passed()).isTrue();
        assertThat(verdict.summary())
                .startsWith("1 of 1 aircraft equal (digest ")
                .contains("boards 1 of 1 equal");
    }

    @Test
    void of_differentState_namesTheAircraftTheFieldAndBothValues() {
        Verdict verdict = Verdict.of(result(0, 0, null, OTHER, "board", 3), reference);

        assertThat(verdict.complaints())
                .containsExactly("1 states differ; the first is aircraft N1: worstDelay is 20 and not 10");
        assertThat(verdict.summary()).startsWith("0 of 1 aircraft equal");
    }

    @Test
    void of_violations_fails() {
        assertThat(Verdict.of(result(7, 0, null, ROW, "board", 3), reference).complaints())
                .containsExactly("7 moves out of order or overlapping");
    }

    @Test
    void of_failedTasks_failsAndNamesTheFirst() {
        RunResult run = result(0, 2, new IllegalStateException("boom"), ROW, "board", 3);

        assertThat(Verdict.of(run, reference).complaints())
                .containsExactly("2 tasks failed, the first with java.lang.IllegalStateException: boom");
    }

    @Test
    void of_differentBoardOrCounts_fails() {
        assertThat(Verdict.of(result(0, 0, null, ROW, "other", 2), reference).complaints())
                .containsExactlyInAnyOrder(
                        "the last board of JFK differs", "counts differ: {events=2} and not {events=3}");
    }

    @Test
    void digest_statesThatDiffer_differs() {
        assertThat(StateDigest.of(states(ROW)))
                .hasSize(16)
                .isEqualTo(StateDigest.of(states(ROW)))
                .isNotEqualTo(StateDigest.of(states(OTHER)));
    }

    private static RunResult result(
            long violations, long failures, @Nullable Throwable failure, String row, String board, long counted) {
        return new RunResult(
                "run",
                3,
                1,
                1,
                1,
                null,
                violations,
                1,
                1,
                failures,
                failure,
                states(row),
                Map.of("JFK", board),
                Map.of("events", counted));
    }

    private static List<AircraftState> states(String row) {
        Aircraft aircraft = new Aircraft("N1");
        Timeline.of(Rows.flights(row)).events().forEach(event -> aircraft.take(event, 0));
        return List.of(aircraft.state());
    }
}
