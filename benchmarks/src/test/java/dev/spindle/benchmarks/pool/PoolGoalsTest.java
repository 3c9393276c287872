// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.MadeUpRun;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.report.Verdict;
import dev.spindle.benchmarks.report.Verdict.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolGoalsTest {
    private static final Comparison POOL = PoolComparison.comparison();

    @Test
    void judge_farBetterThanEveryPeer_reachesEveryGoal() {
        List<Verdict> verdicts = MadeUpRun.verdicts(POOL, (cell, contender, figure) -> value(contender, figure, true));

        assertThat(verdicts).hasSizeGreaterThan(30).allMatch(verdict -> verdict.outcome() == Outcome.REACHED);
        for (int goal = 1; goal <= 10; goal++) {
            String name = "SCH" + goal + ":";
            assertThat(verdicts).as(name).anyMatch(verdict -> verdict.goal().startsWith(name));
        }
    }

    @Test
    void judge_worseThanEveryPeer_reachesNoRatio() {
        List<Verdict> verdicts = MadeUpRun.verdicts(POOL, (cell, contender, figure) -> value(contender, figure, false));

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.asked().contains(" x "))
                .isNotEmpty()
                .allMatch(verdict -> verdict.outcome() == Outcome.NOT_REACHED);
    }

    @Test
    void judge_oneCellOfTheGridBelow_missesThatPartAndNamesTheCell() {
        List<Verdict> verdicts = MadeUpRun.verdicts(
                POOL,
                (cell, contender, figure) ->
                        value(contender, figure, !cell.name().equals("window-t8-x1-10us")));

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.asked().startsWith("tasks/s at least 0.9 x"))
                .filteredOn(verdict -> verdict.outcome() == Outcome.NOT_REACHED)
                .singleElement()
                .matches(verdict -> verdict.got().contains("in window-t8-x1-10us"));
    }

    @Test
    void judge_throttledWhereThePeerIsNot_missesThatPart() {
        List<Verdict> verdicts = MadeUpRun.verdicts(
                POOL,
                (cell, contender, figure) ->
                        figure.equals(Figure.THROTTLED) && !contender.equals(Contenders.SPINDLE) ? 0 : 1);

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.asked().startsWith("throttled"))
                .singleElement()
                .matches(verdict -> verdict.outcome() == Outcome.NOT_REACHED);
    }

    /** A hundredfold on one side of everybody else. */
    private static double value(Contender contender, Figure figure, boolean good) {
        if (!contender.equals(Contenders.SPINDLE)) {
            return 1;
        }
        return figure.moreIsBetter() == good ? 100 : 0.01;
    }
}
