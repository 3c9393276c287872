// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Measurement;
import dev.spindle.benchmarks.report.Verdict;
import dev.spindle.benchmarks.report.Verdict.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalsTest {
    private static final int PROCESSORS = 2;

    @Test
    void judge_farBetterThanEveryPeer_reachesEveryPart() {
        List<Verdict> verdicts = Goals.judge(Samples.results(GoalsTest::good), PROCESSORS);

        assertThat(verdicts).hasSizeGreaterThan(30).allMatch(verdict -> verdict.outcome() == Outcome.REACHED);
        assertThat(Goals.summary(verdicts))
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsExactly(
                        "SCH1 reached",
                        "SCH2 reached",
                        "SCH3 reached",
                        "SCH4 reached",
                        "SCH5 reached",
                        "SCH6 reached",
                        "SCH7 reached",
                        "SCH8 reached",
                        "SCH9 reached",
                        "SCH10 reached");
    }

    @Test
    void judge_worseThanEveryPeer_reachesNoRatio() {
        List<Verdict> verdicts = Goals.judge(Samples.results(GoalsTest::bad), PROCESSORS);

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.asked().contains(" x "))
                .isNotEmpty()
                .allMatch(verdict -> verdict.outcome() == Outcome.NOT_REACHED);
        assertThat(Goals.summary(verdicts))
                .allMatch(line -> line.contains("not reached") && line.contains("missed, for one: "));
    }

    @Test
    void judge_oneCellOfTheGridBelow_missesThatPartAndNamesTheCell() {
        Cell slow = Samples.cell("window-t8-x1-10us");
        List<Verdict> verdicts = Goals.judge(
                Samples.results((cell, contender) -> cell.equals(slow) ? bad(cell, contender) : good(cell, contender)),
                PROCESSORS);

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.asked().startsWith("tasks/s at least 0.9 x"))
                .filteredOn(verdict -> verdict.outcome() == Outcome.NOT_REACHED)
                .singleElement()
                .matches(verdict -> verdict.got().contains("in window-t8-x1-10us"));
    }

    @Test
    void judge_severalPeers_comparesWithTheStrongest() {
        List<Verdict> verdicts = Goals.judge(
                Samples.results((cell, contender) ->
                        contender == Contender.JBOSS ? good(cell, Contender.SPINDLE) : good(cell, contender)),
                PROCESSORS);

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.goal().startsWith("SCH1:"))
                .isNotEmpty()
                .allMatch(verdict -> verdict.asked().endsWith(Contender.JBOSS.title()));
    }

    @Test
    void judge_oneRound_isInconclusive() {
        List<ForkResult> first = Samples.results(GoalsTest::good).forks().stream()
                .filter(fork -> fork.round() == 1)
                .toList();

        assertThat(Goals.judge(new Results(first), PROCESSORS))
                .allMatch(verdict -> verdict.outcome() == Outcome.INCONCLUSIVE);
    }

    @Test
    void judge_noSystemCallsCounted_saysWhatCountsThem() {
        List<Verdict> verdicts =
                Goals.judge(Samples.results((cell, contender) -> Samples.measurement(cell, 1)), PROCESSORS);

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.goal().startsWith("SCH2"))
                .singleElement()
                .matches(verdict -> verdict.outcome() == Outcome.NOT_MEASURED && verdict.telling())
                .matches(verdict -> verdict.got().contains("--futex"));
    }

    @Test
    void judge_neverThrottledButOurs_missesThatPart() {
        List<Verdict> verdicts = Goals.judge(
                Samples.results((cell, contender) -> Samples.measurement(
                        cell, figure -> figure == Figure.THROTTLED && contender != Contender.SPINDLE ? 0 : 1)),
                PROCESSORS);

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.asked().startsWith("throttled time"))
                .singleElement()
                .matches(verdict -> verdict.outcome() == Outcome.NOT_REACHED);
    }

    @Test
    void judge_nothingMeasured_saysSo() {
        List<Verdict> verdicts = Goals.judge(new Results(List.of()), PROCESSORS);

        assertThat(verdicts).allMatch(verdict -> verdict.outcome() == Outcome.NOT_MEASURED);
        assertThat(Goals.summary(verdicts)).allMatch(line -> line.contains("not measured: "));
    }

    private static Measurement good(Cell cell, Contender contender) {
        return measurement(cell, contender, true);
    }

    private static Measurement bad(Cell cell, Contender contender) {
        return measurement(cell, contender, false);
    }

    private static Measurement measurement(Cell cell, Contender contender, boolean good) {
        Measurement figures = Samples.measurement(cell, figure -> value(figure, contender, good));
        return cell.countsFutex() ? Samples.with(figures, Figure.FUTEX, value(Figure.FUTEX, contender, good)) : figures;
    }

    /** A hundredfold on one side of everybody else. */
    private static double value(Figure figure, Contender contender, boolean good) {
        if (contender != Contender.SPINDLE) {
            return 1;
        }
        return figure.moreIsBetter() == good ? 100 : 0.01;
    }
}
