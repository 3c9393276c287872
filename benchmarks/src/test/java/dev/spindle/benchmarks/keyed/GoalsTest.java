// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.forks.Verdict;
import dev.spindle.benchmarks.forks.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class GoalsTest {
    private static final int PROCESSORS = 2;
    private static final int ROUNDS = 5;

    @Test
    void judge_asFastAsTheLimit_reachesEveryGoal() {
        List<Verdict> verdicts = Goals.judge(results(GoalsTest::good), PROCESSORS);

        assertThat(verdicts).hasSizeGreaterThan(15).allMatch(verdict -> verdict.outcome() == Outcome.REACHED);
    }

    @Test
    void judge_slowerThanEveryPeer_reachesNoGoalOfTime() {
        List<Verdict> verdicts = Goals.judge(
                results((cell, contender) -> contender == Contender.SPINDLE ? slow(cell) : good(cell, contender)),
                PROCESSORS);

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.asked().contains(" x "))
                .isNotEmpty()
                .allMatch(verdict -> verdict.outcome() == Outcome.NOT_REACHED);
        assertThat(verdicts)
                .filteredOn(verdict -> verdict.asked().contains("no other key waits"))
                .singleElement()
                .matches(verdict -> verdict.outcome() == Outcome.NOT_REACHED);
    }

    @Test
    void judge_oneThreadTooMany_isNotReached() {
        List<Verdict> verdicts = Goals.judge(
                results((cell, contender) -> contender == Contender.SPINDLE_HANDLE && cell.equals(Cell.K16_W0)
                        ? Samples.threads(10, PROCESSORS + 3)
                        : good(cell, contender)),
                PROCESSORS);

        assertThat(outcomeOf(verdicts, "never more than 4 threads")).isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void judge_oneEventOutOfOrder_isNotReached() {
        List<Verdict> verdicts = Goals.judge(
                results((cell, contender) -> contender == Contender.SPINDLE && cell.equals(Cell.K1000_ZIPF)
                        ? Samples.broken(10, 1, 0, 0)
                        : good(cell, contender)),
                PROCESSORS);

        assertThat(outcomeOf(verdicts, "no event out of order, overlapping, lost or doubled"))
                .isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void judge_aForkThatDidNotEnd_isNotReached() {
        List<ForkResult> forks = new ArrayList<>(results(GoalsTest::good).forks());
        forks.add(ForkResult.failed(new Plan.Fork(6, Cell.SEED, Contender.SPINDLE), "stalled"));

        assertThat(outcomeOf(Goals.judge(new Results(forks), PROCESSORS), "every fork ends"))
                .isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void judge_peerMissing_isNotMeasured() {
        List<ForkResult> forks = results(GoalsTest::good).forks().stream()
                .filter(fork -> fork.contender().family() == Contender.Family.OURS)
                .toList();

        assertThat(Goals.judge(new Results(forks), PROCESSORS))
                .filteredOn(verdict -> verdict.asked().contains(" x "))
                .isNotEmpty()
                .allMatch(verdict -> verdict.outcome() == Outcome.NOT_MEASURED);
    }

    @Test
    void judge_severalExactPeers_comparesWithTheFastest() {
        List<Verdict> verdicts = Goals.judge(
                results((cell, contender) ->
                        contender == Contender.NETTY ? Samples.measurement(12) : good(cell, contender)),
                PROCESSORS);

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.goal().contains("best exact-key peer"))
                .isNotEmpty()
                .allMatch(verdict -> verdict.asked().contains(Contender.NETTY.title()))
                .allMatch(verdict -> verdict.outcome() == Outcome.NOT_REACHED);
    }

    private static Measurement good(Cell cell, Contender contender) {
        if (cell.blocks()) {
            return Samples.delay(contender.family() == Contender.Family.STRIPES ? 1_000 : 2);
        }
        return switch (contender.family()) {
            case LIMIT, OURS, STRIPES -> Samples.measurement(10);
            case EXACT_KEY -> Samples.measurement(30);
            case THREAD_PER_KEY -> Samples.measurement(1_000);
        };
    }

    private static Measurement slow(Cell cell) {
        return cell.blocks() ? Samples.delay(1_000) : Samples.measurement(5_000);
    }

    private static Outcome outcomeOf(List<Verdict> verdicts, String asked) {
        return verdicts.stream()
                .filter(verdict -> verdict.asked().equals(asked))
                .findFirst()
                .orElseThrow()
                .outcome();
    }

    private static Results results(BiFunction<Cell, Contender, Measurement> figures) {
        List<ForkResult> forks = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            for (Cell cell : Cell.ALL) {
                for (Contender contender : Contender.values()) {
                    if (contender.takesPart(cell)) {
                        forks.add(Samples.result(round, cell, contender, figures.apply(cell, contender)));
                    }
                }
            }
        }
        return new Results(forks);
    }
}
