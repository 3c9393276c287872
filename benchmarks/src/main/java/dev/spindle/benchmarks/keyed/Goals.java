// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What keyed execution has to reach beside the limit and the peers, as ratios of medians from the same run. A goal is
 * reached, or missed, only if the whole range that holds the median says so; else it is inconclusive and wants more
 * rounds at a quieter time.
 */
final class Goals {
    private static final Contender OURS = Contender.SPINDLE;
    private static final double MOST_SWITCHES = 200;
    private static final int SPARE_THREADS = 2;
    /** A twentieth of the time that the key is blocked. */
    private static final double MOST_DELAY_MILLIS = 50;

    private final Results results;
    private final int processors;
    private final List<Verdict> verdicts = new ArrayList<>();

    private Goals(Results results, int processors) {
        this.results = results;
        this.processors = processors;
    }

    static List<Verdict> judge(Results results, int processors) {
        Goals goals = new Goals(results, processors);
        goals.seedsTest();
        goals.smallTasks();
        goals.manyKeys();
        goals.stripes();
        goals.always();
        return List.copyOf(goals.verdicts);
    }

    private void seedsTest() {
        notSlower("KEY1", Cell.SEED, Contender.LIMIT, 1.05);
        faster("KEY1", Cell.SEED, Contender.SINGLE_THREADS, 1.0);
        verdicts.add(Verdict.atMost(
                goal("KEY1", Cell.SEED),
                "at most 200 voluntary switches",
                MOST_SWITCHES,
                results.values(Cell.SEED, OURS, Measurement::voluntary)));
    }

    private void smallTasks() {
        faster("KEY2", Cell.K16_W0, Contender.SINGLE_THREADS, 15);
        fasterThanBest(Cell.K16_W0, 1.5);
        notSlower("KEY2", Cell.K16_W20, Contender.LIMIT, 1.25);
        for (Cell cell : List.of(Cell.K1000_UNIFORM, Cell.K1000_ZIPF)) {
            notSlower("KEY2", cell, Contender.LIMIT, 1.25);
            faster("KEY2", cell, Contender.SINGLE_THREADS, 50);
        }
    }

    private void manyKeys() {
        fasterThanBest(Cell.K100000_UNIFORM, 2);
    }

    private void stripes() {
        for (Cell cell : List.of(Cell.K16_W0, Cell.K16_W20, Cell.K1000_UNIFORM, Cell.K1000_ZIPF)) {
            faster("KEY2", cell, Contender.JRAFT, 0.7);
        }
        for (Cell cell : List.of(Cell.K100000_UNIFORM, Cell.K100000_ZIPF)) {
            faster("KEY2", cell, Contender.JRAFT, 0.5);
        }
        verdicts.add(Verdict.atMost(
                goal("KEY2", Cell.BLOCKED),
                "no other key waits longer than 50 ms",
                MOST_DELAY_MILLIS,
                results.values(Cell.BLOCKED, OURS, Measurement::delayMillis)));
    }

    private void always() {
        List<Double> threads = new ArrayList<>();
        List<Double> violations = new ArrayList<>();
        int failures = 0;
        for (Contender ours : Contender.of(Contender.Family.OURS)) {
            for (Cell cell : results.cells()) {
                if (!cell.blocks()) {
                    threads.addAll(results.values(cell, ours, Measurement::threads));
                }
                violations.addAll(results.values(cell, ours, Measurement::violations));
                failures += results.failures(cell, ours).size();
            }
        }
        int most = processors + SPARE_THREADS;
        verdicts.add(Verdict.never(
                "KEY1, KEY2: every cell without blocking", "never more than " + most + " threads", most, threads));
        verdicts.add(Verdict.never(
                "KEY1, KEY2: every cell", "no event out of order, overlapping, lost or doubled", 0, violations));
        if (failures > 0) {
            verdicts.add(new Verdict(
                    "KEY1, KEY2: every cell", "every fork ends", failures + " did not", Verdict.Outcome.NOT_REACHED));
        }
    }

    private void notSlower(String id, Cell cell, Contender reference, double factor) {
        verdicts.add(Verdict.atMost(
                goal(id, cell),
                "at most " + factor + " x the time of: " + reference.title(),
                factor,
                results.timeRatios(cell, OURS, reference)));
    }

    private void faster(String id, Cell cell, Contender reference, double factor) {
        verdicts.add(Verdict.atLeast(
                goal(id, cell),
                "at least " + factor + " x as fast as: " + reference.title(),
                factor,
                results.timeRatios(cell, reference, OURS)));
    }

    private void fasterThanBest(Cell cell, double factor) {
        Optional<Contender> best = results.fastest(cell, Contender.Family.EXACT_KEY);
        if (best.isPresent()) {
            faster("KEY2, best exact-key peer", cell, best.get(), factor);
        } else {
            verdicts.add(Verdict.notMeasured(
                    goal("KEY2", cell), "at least " + factor + " x as fast as the best exact-key peer"));
        }
    }

    private static String goal(String id, Cell cell) {
        return id + ": " + cell.title();
    }
}
