// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.report.Verdict;
import dev.spindle.benchmarks.report.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private final List<ForkResult> forks = new ArrayList<>();

    @Test
    void atLeast_aTimeOfWhichLessIsBetter_isTheOthersTimeDividedByOurs() {
        rounds(Samples.OURS, 10);
        rounds(Samples.SLOW, 50);

        assertThat(verdict("G1"))
                .satisfies(is(Outcome.REACHED))
                .extracting(Verdict::got)
                .asString()
                .startsWith("5.00");
    }

    @Test
    void atLeast_aRateOfWhichMoreIsBetter_isOursDividedByTheOthers() {
        IntStream.rangeClosed(1, 5).forEach(round -> {
            forks.add(Samples.result(round, Samples.OURS, Map.of(Samples.RATE, 20.0)));
            forks.add(Samples.result(round, Samples.FAST, Map.of(Samples.RATE, 40.0)));
        });

        assertThat(verdict("G6"))
                .satisfies(is(Outcome.NOT_REACHED))
                .extracting(Verdict::got)
                .asString()
                .startsWith("0.50");
    }

    @Test
    void atLeast_ratiosAreTakenRoundByRound() {
        for (int round = 1; round <= 5; round++) {
            forks.add(Samples.time(round, Samples.OURS, 10 * round)); // a machine that slows down all alike
            forks.add(Samples.time(round, Samples.SLOW, 45 * round));
        }

        assertThat(verdict("G1").got()).isEqualTo("4.50 [4.50 to 4.50]");
    }

    @Test
    void atLeastBest_comparesWithTheBestMedian() {
        rounds(Samples.OURS, 10);
        rounds(Samples.FAST, 20);
        rounds(Samples.SLOW, 80);

        assertThat(verdict("G2"))
                .satisfies(is(Outcome.NOT_REACHED))
                .extracting(Verdict::asked)
                .asString()
                .contains("a fast peer");
    }

    @Test
    void atLeastBest_noneMeasured_saysSo() {
        rounds(Samples.OURS, 10);

        assertThat(verdict("G2")).satisfies(is(Outcome.NOT_MEASURED));
    }

    @Test
    void atMostOf_isOursDividedByTheOthers() {
        rounds(Samples.OURS, 10);
        rounds(Samples.FAST, 20);

        assertThat(verdict("G3"))
                .satisfies(is(Outcome.REACHED))
                .extracting(Verdict::got)
                .asString()
                .startsWith("0.50");
    }

    @Test
    void atMost_missedOnABusyMachine_isInconclusive() {
        for (int round = 1; round <= 5; round++) {
            forks.add(Samples.result(round, Samples.OURS, Map.of(Samples.TIME, 30.0, Figure.FOREIGN, 40.0)));
        }

        assertThat(verdict("G4")).satisfies(is(Outcome.INCONCLUSIVE));
    }

    @Test
    void onlyCalm_ratioBesideNeighboursOfEitherContender_isInconclusive() {
        for (int round = 1; round <= 5; round++) {
            forks.add(Samples.result(round, Samples.OURS, Map.of(Samples.TIME, 10.0, Samples.RATE, 40.0)));
            forks.add(Samples.result(
                    round, Samples.FAST, Map.of(Samples.TIME, 20.0, Samples.RATE, 20.0, Figure.FOREIGN, 40.0)));
        }

        assertThat(verdict("G3")).satisfies(is(Outcome.REACHED));
        assertThat(verdict("G8"))
                .satisfies(is(Outcome.INCONCLUSIVE))
                .extracting(Verdict::got)
                .asString()
                .contains("0.50", "others took 40 %");
        assertThat(verdict("G9")).satisfies(is(Outcome.INCONCLUSIVE));
    }

    @Test
    void onlyCalm_onACalmMachine_isJudgedAsEver() {
        for (int round = 1; round <= 5; round++) {
            forks.add(Samples.result(round, Samples.OURS, Map.of(Samples.TIME, 10.0, Figure.FOREIGN, 3.0)));
            forks.add(Samples.result(round, Samples.FAST, Map.of(Samples.TIME, 20.0, Figure.FOREIGN, 4.0)));
        }

        assertThat(verdict("G8")).satisfies(is(Outcome.REACHED));
    }

    @Test
    void never_oneRoundAbove_isNotReached() {
        for (int round = 1; round <= 5; round++) {
            forks.add(Samples.result(round, Samples.OURS, Map.of(Samples.LATEST, round == 3 ? 51.0 : 1.0)));
        }

        assertThat(verdict("G5")).satisfies(is(Outcome.NOT_REACHED));
    }

    @Test
    void neverOfOurs_oneForkInAnyCellAbove_isNotReached() {
        forks.add(Samples.result(1, Samples.OURS, Map.of(Figure.THREADS, 4.0)));
        forks.add(Samples.result(1, Samples.FAST, Map.of(Figure.THREADS, 9.0)));
        assertThat(verdict("G7")).satisfies(is(Outcome.REACHED));

        forks.add(Samples.result(2, Samples.OURS, Map.of(Figure.THREADS, 5.0)));
        assertThat(verdict("G7")).satisfies(is(Outcome.NOT_REACHED));
    }

    @Test
    void everyComparison_asksForNoViolationOfOursAndForEveryFork() {
        forks.add(Samples.result(1, Samples.OURS, Map.of(Figure.VIOLATIONS, 2.0)));
        forks.add(Samples.result(2, Samples.SLOW, Map.of(Figure.VIOLATIONS, 9.0)));
        forks.add(ForkResult.failed(new ForkResult.Fork(2, Samples.cell(), Samples.OURS), "stalled"));

        assertThat(verdicts().stream().filter(verdict -> verdict.goal().equals("every cell")))
                .extracting(Verdict::got)
                .containsExactly("2 at most in 1 forks", "1 did not");
    }

    private static Consumer<Verdict> is(Outcome outcome) {
        return verdict -> assertThat(verdict.outcome()).isEqualTo(outcome);
    }

    private void rounds(Contender contender, double nanos) {
        IntStream.rangeClosed(1, 5).forEach(round -> forks.add(Samples.time(round, contender, nanos)));
    }

    private Verdict verdict(String goal) {
        return verdicts().stream()
                .filter(verdict -> verdict.goal().startsWith(goal))
                .findFirst()
                .orElseThrow();
    }

    private List<Verdict> verdicts() {
        return new Judge(Samples.COMPARISON, new Results(forks)).verdicts();
    }
}
