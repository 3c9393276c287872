// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private final List<ForkResult> forks = new ArrayList<>();

    @Test
    void atLeast_aTimeOfWhichLessIsBetter_isTheOthersTimeDividedByOurs() {
        rounds(Samples.OURS, Map.of(Samples.TIME, 10.0));
        rounds(Samples.SLOW, Map.of(Samples.TIME, 50.0));

        assertThat(verdict("G1").got()).startsWith("5.00");
        assertThat(verdict("G1").outcome()).isEqualTo(Outcome.REACHED);
    }

    @Test
    void atLeast_aRateOfWhichMoreIsBetter_isOursDividedByTheOthers() {
        rounds(Samples.OURS, Map.of(Samples.RATE, 20.0));
        rounds(Samples.FAST, Map.of(Samples.RATE, 40.0));

        assertThat(verdict("G6").got()).startsWith("0.50");
        assertThat(verdict("G6").outcome()).isEqualTo(Outcome.NOT_REACHED);
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
        rounds(Samples.OURS, Map.of(Samples.TIME, 10.0));
        assertThat(verdict("G2").outcome()).isEqualTo(Outcome.NOT_MEASURED);

        rounds(Samples.FAST, Map.of(Samples.TIME, 20.0));
        rounds(Samples.SLOW, Map.of(Samples.TIME, 80.0));
        assertThat(verdict("G2").asked()).contains("a fast peer");
        assertThat(verdict("G2").outcome()).isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void atMostOf_isOursDividedByTheOthers() {
        rounds(Samples.OURS, Map.of(Samples.TIME, 10.0));
        rounds(Samples.FAST, Map.of(Samples.TIME, 20.0));

        assertThat(verdict("G3").got()).startsWith("0.50");
    }

    @Test
    void atMost_missedOnABusyMachine_isInconclusive() {
        rounds(Samples.OURS, Map.of(Samples.TIME, 30.0, Figure.FOREIGN, 40.0));

        assertThat(verdict("G4").outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(verdict("G4").got()).contains("others took 40 %");
    }

    @Test
    void onlyCalm_foreignLoadOfEitherContender_isInconclusive() {
        rounds(Samples.OURS, Map.of(Samples.TIME, 10.0));
        rounds(Samples.FAST, Map.of(Samples.TIME, 20.0, Figure.FOREIGN, 40.0));

        assertThat(verdict("G3").outcome()).isEqualTo(Outcome.REACHED);
        assertThat(verdict("G8").outcome()).isEqualTo(Outcome.INCONCLUSIVE);
    }

    @Test
    void never_oneRoundAbove_isNotReached() {
        rounds(Samples.OURS, Map.of(Samples.LATEST, 1.0));
        assertThat(verdict("G5").outcome()).isEqualTo(Outcome.REACHED);

        forks.add(Samples.result(6, Samples.OURS, Map.of(Samples.LATEST, 51.0)));
        assertThat(verdict("G5").outcome()).isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void neverOfOurs_countsOursInEveryCell() {
        forks.add(Samples.result(1, Samples.OURS, Map.of(Figure.THREADS, 4.0)));
        forks.add(Samples.result(1, Samples.FAST, Map.of(Figure.THREADS, 9.0)));
        assertThat(verdict("G7").outcome()).isEqualTo(Outcome.REACHED);

        forks.add(Samples.result(2, Samples.OURS, Map.of(Figure.THREADS, 5.0)));
        assertThat(verdict("G7").outcome()).isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void everyComparison_asksForNoViolationOfOursAndForEveryFork() {
        forks.add(Samples.result(1, Samples.OURS, Map.of(Figure.VIOLATIONS, 2.0)));
        forks.add(Samples.result(2, Samples.SLOW, Map.of(Figure.VIOLATIONS, 9.0)));
        forks.add(Samples.failed(2, Samples.OURS));

        assertThat(verdicts().stream().filter(verdict -> verdict.goal().equals("every cell")))
                .extracting(Verdict::got)
                .containsExactly("2 at most in 1 forks", "1 did not");
    }

    @Test
    void judged_againstTheRangeOfTheMedian() {
        assertThat(atMost(1.25, 1.0, 1.1, 1.2, 1.15, 1.05)).isEqualTo(Outcome.REACHED);
        assertThat(atMost(1.25, 1.3, 1.4, 1.5, 1.6, 1.7)).isEqualTo(Outcome.NOT_REACHED);
        assertThat(atMost(1.25, 1.2, 1.4, 1.5, 1.6, 1.7)).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(atMost(2, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0)).isEqualTo(Outcome.REACHED);
        assertThat(atMost(1.25, 1.0, 1.0)).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(atMost(1)).isEqualTo(Outcome.NOT_MEASURED);
    }

    @Test
    void orCalmer_goesByTheForeignLoadAndDropsNoFault() {
        ForkResult calm = Samples.result(1, Samples.OURS, Map.of(Figure.FOREIGN, 3.0, Samples.TIME, 90.0));
        ForkResult busy = Samples.result(1, Samples.OURS, Map.of(Figure.FOREIGN, 40.0, Samples.TIME, 10.0));
        ForkResult faulty = Samples.result(1, Samples.OURS, Map.of(Figure.FOREIGN, 80.0, Figure.VIOLATIONS, 1.0));
        ForkResult failed = Samples.failed(1, Samples.OURS);

        assertThat(List.of(calm, busy, failed))
                .extracting(ForkResult::disturbed)
                .containsExactly(false, true, false);
        assertThat(busy.orCalmer(calm)).isSameAs(calm);
        assertThat(calm.orCalmer(busy)).isSameAs(calm);
        assertThat(calm.orCalmer(faulty)).isSameAs(faulty);
        assertThat(faulty.orCalmer(calm)).isSameAs(faulty);
        assertThat(busy.orCalmer(failed)).isSameAs(failed);
    }

    private static Outcome atMost(double limit, Double... values) {
        return Verdict.atMost("goal", "asked", limit, List.of(values)).outcome();
    }

    private void rounds(Contender contender, Map<Figure, Double> figures) {
        for (int round = 1; round <= 5; round++) {
            forks.add(Samples.result(round, contender, figures));
        }
    }

    private Verdict verdict(String goal) {
        return verdicts().stream()
                .filter(verdict -> verdict.goal().startsWith(goal))
                .findFirst()
                .orElseThrow();
    }

    private List<Verdict> verdicts() {
        return new Judge(Samples.comparison(), new Results(forks)).verdicts();
    }
}
