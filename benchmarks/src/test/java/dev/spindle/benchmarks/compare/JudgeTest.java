// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.Main;
import dev.spindle.benchmarks.compare.Verdict.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Verdicts and tables of made-up figures. */
class JudgeTest {
    private final List<ForkResult> forks = new ArrayList<>();

    static Stream<Comparison> comparisons() {
        return Main.comparisons().stream()
                .filter(one -> !one.goals().isEmpty())
                .filter(one -> one.cells().stream().anyMatch(JudgeTest::hasPeer));
    }

    private static boolean hasPeer(Cell cell) {
        return cell.contenders().stream().anyMatch(one -> one.family() == Contender.Family.PEER);
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void goals_farBetterOrFarWorseThanEveryPeer_areReachedOrMissed(Comparison comparison) {
        for (boolean good : new boolean[] {true, false}) {
            for (int round = 1; round <= 5; round++) {
                for (Cell cell : comparison.cells()) {
                    for (Contender contender : cell.contenders()) {
                        double ours = contender.family() == Contender.Family.OURS ? 1e4 : 1;
                        Map<String, Double> values = new LinkedHashMap<>();
                        comparison
                                .figures()
                                .forEach(figure ->
                                        values.put(figure.field(), figure.moreIsBetter() == good ? ours : 1 / ours));
                        values.put(Figure.VIOLATIONS.field(), 0.0);
                        values.put(Figure.FOREIGN.field(), 0.0);
                        forks.add(ForkResult.measured(new ForkResult.Fork(round, cell, contender), values));
                    }
                }
            }
            assertThat(verdicts(comparison))
                    .filteredOn(verdict -> verdict.asked().contains(" x ")
                            && !verdict.asked().contains("limit")
                            && !verdict.asked().matches(".*: (a )?Spindle.*")) // no peer
                    .isNotEmpty()
                    .allMatch(verdict -> verdict.outcome() == (good ? Outcome.REACHED : Outcome.NOT_REACHED));
            forks.clear();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "G1 | slow | 10 | 50 | 5.00 [5.00 to 5.00] | REACHED",
                "G3 | fast | 10 | 20 | 0.50 [0.50 to 0.50] | REACHED",
                "G3 | fast | 30 | 20 | 1.50 [1.50 to 1.50] | NOT_REACHED",
                "G9 | fast | 30 | 20 | 10.0 [10.0 to 10.0] | NOT_REACHED",
                "G9 | fast | 0 | 0 | 0.00 [0.00 to 0.00] | REACHED"
            })
    void time_comparedWithAnother(String goal, String other, double ours, double its, String got, Outcome outcome) {
        rounds(Samples.OURS, Map.of(Samples.TIME, ours));
        rounds(other.equals("slow") ? Samples.SLOW : Samples.FAST, Map.of(Samples.TIME, its));

        assertThat(verdict(goal).got()).isEqualTo(got);
        assertThat(verdict(goal).outcome()).isEqualTo(outcome);
    }

    @Test
    void rate_ofWhichMoreIsBetter_isOursDividedByTheOthers() {
        rounds(Samples.OURS, Map.of(Samples.RATE, 20.0));
        rounds(Samples.FAST, Map.of(Samples.RATE, 40.0));

        assertThat(verdict("G6").got()).startsWith("0.50");
        assertThat(verdict("G8").got()).startsWith("0.50");
        assertThat(verdict("G8").outcome()).isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void ratios_areTakenRoundByRound() {
        for (int round = 1; round <= 5; round++) {
            forks.add(Samples.time(round, Samples.OURS, 10 * round)); // a machine that slows down all alike
            forks.add(Samples.time(round, Samples.SLOW, 45 * round));
        }

        assertThat(verdict("G1").got()).isEqualTo("4.50 [4.50 to 4.50]");
    }

    @Test
    void best_isThatOfTheBestMedian() {
        rounds(Samples.OURS, Map.of(Samples.TIME, 10.0));
        assertThat(verdict("G2").outcome()).isEqualTo(Outcome.NOT_MEASURED);

        rounds(Samples.FAST, Map.of(Samples.TIME, 20.0));
        rounds(Samples.SLOW, Map.of(Samples.TIME, 80.0));

        assertThat(verdict("G2").asked()).contains("a fast peer");
        assertThat(verdict("G2").outcome()).isEqualTo(Outcome.NOT_REACHED);
        assertThat(verdict("G7").got()).isEqualTo("1 of 1 cells reached, 0 not; worst median 0.50 in plain");
    }

    @Test
    void limit_missedOnABusyMachine_isInconclusive() {
        rounds(Samples.OURS, Map.of(Samples.TIME, 30.0, Figure.FOREIGN, 40.0));

        assertThat(verdict("G4").outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(verdict("G4").got()).contains("others took 40 %");
    }

    @Test
    void never_oneRoundAbove_isNotReached() {
        rounds(Samples.OURS, Map.of(Samples.LATEST, 1.0));
        assertThat(verdict("G5").outcome()).isEqualTo(Outcome.REACHED);

        forks.add(Samples.result(6, Samples.OURS, Map.of(Samples.LATEST, 51.0)));

        assertThat(verdict("G5").outcome()).isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void everyComparison_asksForNoViolationOfOursAndForEveryFork() {
        forks.add(Samples.result(1, Samples.OURS, Map.of(Figure.VIOLATIONS, 2.0)));
        forks.add(Samples.result(2, Samples.SLOW, Map.of(Figure.VIOLATIONS, 9.0)));
        forks.add(Samples.failed(2, Samples.OURS));

        assertThat(verdicts(Samples.comparison()))
                .filteredOn(verdict -> verdict.goal().equals("every cell"))
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

    private static Outcome atMost(double limit, Double... values) {
        return Verdict.atMost("goal", "asked", limit, List.of(values)).outcome();
    }

    /** The limits are those of the binomial table: 2 P(fewer than k of n on one side) is within 10 %. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "5, 1, 5", "7, 1, 7", "8, 2, 7", "11, 3, 9", "13, 4, 10", "20, 6, 15"})
    void spread_valuesOneToCount_narrowsWithTheCount(int count, double low, double high) {
        Spread spread = Spread.of(IntStream.rangeClosed(1, count)
                .mapToObj(value -> (double) value)
                .toList());

        assertThat(List.of(spread.low(), spread.median(), spread.high())).containsExactly(low, (count + 1) / 2.0, high);
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
        assertThat(busy.orCalmer(calm)).isSameAs(calm).isSameAs(calm.orCalmer(busy));
        assertThat(calm.orCalmer(faulty)).isSameAs(faulty).isSameAs(faulty.orCalmer(calm));
        assertThat(busy.orCalmer(failed)).isSameAs(failed);
    }

    @Test
    void report_showsMediansSpreadAndTheBestPeer() {
        forks.add(Samples.time(1, Samples.LIMIT, 5));
        forks.add(Samples.time(1, Samples.OURS, 10));
        forks.add(Samples.time(2, Samples.OURS, 14));
        forks.add(Samples.time(1, Samples.FAST, 20));
        forks.add(Samples.result(2, Samples.FAST, Map.of(Samples.TIME, 28.0, Figure.FOREIGN, 40.0)));
        forks.add(Samples.time(1, Samples.SLOW, 80));
        forks.add(Samples.failed(2, Samples.SLOW));

        assertThat(new Report(Samples.comparison(), new Results(forks), true).markdown())
                .contains("| Spindle | 12.0 [10.0 to 14.0] | - | - | 2.00 | 2.00 |")
                .contains("| a fast peer | 24.0 [20.0 to 28.0]", "(1 of 1 rounds)")
                .contains("- round 2, a slow peer: stalled: it hangs")
                .contains("| G1: ")
                .doesNotContain("a cell with faults", "| G5: ");
        assertThat(Stream.of(0.0, 0.0004, -12.34, 1_234.4).map(Spread::number))
                .containsExactly("0.00", "0.0004", "-12.3", "1,234");
    }

    private void rounds(Contender contender, Map<Figure, Double> figures) {
        for (int round = 1; round <= 5; round++) {
            forks.add(Samples.result(round, contender, figures));
        }
    }

    private Verdict verdict(String goal) {
        return verdicts(Samples.comparison()).stream()
                .filter(verdict -> verdict.goal().startsWith(goal))
                .findFirst()
                .orElseThrow();
    }

    private List<Verdict> verdicts(Comparison comparison) {
        return new Judge(comparison, new Results(forks)).verdicts();
    }
}
