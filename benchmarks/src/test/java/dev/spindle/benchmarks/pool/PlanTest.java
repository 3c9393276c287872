// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.benchmarks.forks.FutexCalls;
import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Measurement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final List<Cell> CELLS = List.of(Samples.cell("chains"), Samples.cell("burst-10"));
    private static final List<Contender> THREE = List.of(Contender.LIMIT, Contender.SPINDLE, Contender.TPE);

    private final Plan plan = Plan.of(Samples.terms(false), 2, CELLS, THREE);

    @Test
    void of_cellWithoutLimit_leavesItOutAndRotatesTheOthers() {
        assertThat(plan.forks())
                .extracting(fork -> fork.round() + " " + fork.cell() + " " + fork.contender())
                .containsExactly(
                        "1 chains limit",
                        "1 chains spindle",
                        "1 chains tpe",
                        "1 burst-10 spindle",
                        "1 burst-10 tpe",
                        "2 chains spindle",
                        "2 chains tpe",
                        "2 chains limit",
                        "2 burst-10 tpe",
                        "2 burst-10 spindle");
    }

    @Test
    void terms_ofTheirFields_areTheSame() {
        for (Optional<FutexCalls.Tool> tool :
                List.of(Optional.<FutexCalls.Tool>empty(), Optional.of(FutexCalls.Tool.PERF))) {
            Plan.Terms terms = new Plan.Terms(true, 123.5, tool);
            Map<String, String> fields = terms.fields();

            assertThat(Plan.Terms.of(
                            fields.getOrDefault("quick", ""),
                            fields.getOrDefault("steps_per_us", ""),
                            fields.getOrDefault("futex", "")))
                    .isEqualTo(terms);
        }
    }

    @Test
    void fork_unknownCell_namesIt() {
        assertThatThrownBy(() -> Plan.fork(1, "chain", "tpe")).hasMessage("no cell 'chain' in this version");
    }

    @Test
    void expected_quick_isShorter() {
        assertThat(new Plan(Samples.terms(true), plan.forks()).expected()).isLessThan(plan.expected());
    }

    @Test
    void measurement_whatEncodeWrote_isTheSame() {
        Measurement measurement = Samples.measurement(CELLS.get(0), 12.5);

        assertThat(Measurement.decode(measurement.encode())).isEqualTo(measurement);
    }
}
