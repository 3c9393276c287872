// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final Results results = new Results(List.of(
            Samples.result(1, Cell.SEED, Contender.LIMIT, Samples.measurement(1_000)),
            Samples.result(1, Cell.SEED, Contender.SPINDLE, Samples.measurement(1_100)),
            Samples.result(2, Cell.SEED, Contender.LIMIT, Samples.measurement(2_000)),
            Samples.result(2, Cell.SEED, Contender.SPINDLE, Samples.disturbed(2_100, 40)),
            Samples.result(1, Cell.SEED, Contender.VERTX, Samples.broken(1_000, 1, 1, 1)),
            ForkResult.failed(new Plan.Fork(1, Cell.SEED, Contender.GUAVA), "stalled: 3 of 4 events"),
            Samples.result(1, Cell.BLOCKED, Contender.JRAFT, Samples.delay(1_001))));

    @Test
    void markdown_severalRounds_showsMedianSpreadAndRatioToTheLimit() {
        assertThat(markdown()).contains("| Spindle, by key | 1,600 [1,100 to 2,100] | 1.08 | 2 |");
    }

    @Test
    void markdown_disturbedRound_isMarkedAndKept() {
        assertThat(markdown()).contains("(1 of 2 rounds)");
    }

    @Test
    void markdown_brokenPromises_areCounted() {
        assertThat(markdown()).contains("| 10.0 / 5.00 | 3 |");
    }

    @Test
    void markdown_forkWithoutFigure_isNamed() {
        assertThat(markdown())
                .contains("- round 1, Guava sequential on ForkJoinPool: stalled: 3 of 4 events")
                .doesNotContain("| Guava sequential on ForkJoinPool |");
    }

    @Test
    void markdown_blockedCell_showsTheWaits() {
        assertThat(markdown()).contains("modulo threads | 1,001 [1,001 to 1,001] | 0.50 [0.50 to 0.50] |");
    }

    @Test
    void markdown_scaledDown_givesNoVerdict() {
        assertThat(new Report(results).markdown(2, false)).contains("None: the cells were scaled down");
        assertThat(markdown()).contains("| goal | asked | got | |");
    }

    @Test
    void csv_everyFork_hasALine() {
        List<String> lines = new Report(results).csv().lines().toList();

        assertThat(lines).hasSize(1 + results.forks().size());
        assertThat(lines.get(0)).startsWith("round,cell,contender,problem,passes,ms,");
        assertThat(lines.get(1)).startsWith("1,seed,limit,\"\",3,1000.000,");
        assertThat(lines).contains("1,seed,guava,\"stalled: 3 of 4 events\",,,,,,,,,,,,");
    }

    private String markdown() {
        return new Report(results).markdown(2, true);
    }
}
