// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final List<Contender> THREE = List.of(Contender.LIMIT, Contender.SPINDLE, Contender.GUAVA);

    @Test
    void of_severalRounds_putsRoundsOutermostAndRotatesTheContenders() {
        Plan plan = Plan.of(2, List.of(Cell.SEED, Cell.K16_W0), THREE);

        assertThat(plan.forks())
                .containsExactly(
                        new Plan.Fork(1, Cell.SEED, Contender.LIMIT),
                        new Plan.Fork(1, Cell.SEED, Contender.SPINDLE),
                        new Plan.Fork(1, Cell.SEED, Contender.GUAVA),
                        new Plan.Fork(1, Cell.K16_W0, Contender.LIMIT),
                        new Plan.Fork(1, Cell.K16_W0, Contender.SPINDLE),
                        new Plan.Fork(1, Cell.K16_W0, Contender.GUAVA),
                        new Plan.Fork(2, Cell.SEED, Contender.SPINDLE),
                        new Plan.Fork(2, Cell.SEED, Contender.GUAVA),
                        new Plan.Fork(2, Cell.SEED, Contender.LIMIT),
                        new Plan.Fork(2, Cell.K16_W0, Contender.SPINDLE),
                        new Plan.Fork(2, Cell.K16_W0, Contender.GUAVA),
                        new Plan.Fork(2, Cell.K16_W0, Contender.LIMIT));
    }

    @Test
    void of_contenderThatDoesNotTakePart_leavesItOut() {
        Plan plan = Plan.of(1, List.of(Cell.BLOCKED), THREE);

        assertThat(plan.forks()).extracting(Plan.Fork::contender).containsExactly(Contender.SPINDLE, Contender.GUAVA);
    }

    @Test
    void expected_moreRounds_takeLonger() {
        Plan one = Plan.of(1, Cell.ALL, Arrays.asList(Contender.values()));
        Plan five = Plan.of(5, Cell.ALL, Arrays.asList(Contender.values()));

        assertThat(five.expected()).isEqualTo(one.expected().multipliedBy(5));
    }
}
