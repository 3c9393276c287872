// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.forks.Machine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final Results results = new Results(List.of(
            Samples.time(1, Samples.LIMIT, 5),
            Samples.time(1, Samples.OURS, 10),
            Samples.time(2, Samples.OURS, 14),
            Samples.time(1, Samples.FAST, 20),
            Samples.result(2, Samples.FAST, Map.of(Samples.TIME, 28.0, Figure.FOREIGN, 40.0)),
            Samples.time(1, Samples.SLOW, 80),
            ForkResult.failed(new ForkResult.Fork(2, Samples.cell(), Samples.SLOW), "stalled: it hangs")));

    @Test
    void table_showsMediansSpreadAndHowOursStandsBesideTheBestPeer() {
        assertThat(markdown()).contains("| Spindle | 12.0 [10.0 to 14.0] | - | - | 2.00 | 2.00 |");
    }

    @Test
    void table_disturbedRound_isMarkedAndKept() {
        assertThat(markdown()).contains("| a fast peer | 24.0 [20.0 to 28.0]").contains("(1 of 1 rounds)");
    }

    @Test
    void forkWithoutFigure_isNamed() {
        assertThat(markdown()).contains("- round 2, a slow peer: stalled: it hangs");
    }

    @Test
    void cellWithoutForks_isLeftOut() {
        assertThat(markdown()).doesNotContain("a cell with faults");
    }

    @Test
    void verdicts_ofWhichThereIsNothingToSay_areLeftOut() {
        assertThat(markdown()).contains("| G1: ").doesNotContain("| G5: ");
    }

    @Test
    void overview_hasALineForEachCell() {
        assertThat(markdown()).contains("| `plain` | `ours` | ns/op | 12.0 | `fast` | 24.0 | 2.00 |");
    }

    private String markdown() {
        return new Report(Samples.COMPARISON, results, true).markdown(Machine.here());
    }
}
