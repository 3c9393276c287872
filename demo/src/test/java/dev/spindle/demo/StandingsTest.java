// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StandingsTest {

    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    @Test
    void of_measuresWonLostAndLevel_saysSoOfEach() {
        RunResult ours = run("Spindle", new Figures(9, 9, 0, 4 * SECOND, 4, 900, 2 * MILLI, 1, 0));
        RunResult one = run("one", new Figures(9, 9, 0, 6 * SECOND, 1, 100, 2_000 * MILLI, 8, 0));
        RunResult many = run("many", new Figures(9, 9, 0, 4 * SECOND - MILLI, 16, 950, 12 * MILLI, 1, 0));

        assertThat(Standings.of(ours, List.of(one, many)))
                .containsExactly(
                        "  total time    Spindle 4.00 s, level with many 4.00 s",
                        "  threads       one 1; Spindle 4",
                        "  switches      one 100; Spindle 900",
                        "  longest wait  Spindle 2.0 ms; next: many 12 ms",
                        "  waits > 1 ms  Spindle 1, level with many 1");
    }

    private static RunResult run(String name, Figures figures) {
        return new RunResult(name, true, figures, 0, 0, null, List.of());
    }
}
