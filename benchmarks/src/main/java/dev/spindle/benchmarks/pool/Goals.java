// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.forks.Verdict;
import dev.spindle.benchmarks.forks.Verdict.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the executor has to reach beside the limit and the peers, as ratios from the same rounds. A part of a goal is
 * reached, or missed, only if the whole range that holds the median says so; else it is inconclusive and wants more
 * rounds at a quieter time. The cells cover SCH1 and SCH3 to SCH8.
 */
final class Goals {
    private static final Contender OURS = Contender.SPINDLE;
    private static final int MANY_PROCESSORS = 16;

    private final Results results;
    private final boolean manyProcessors;
    private final List<Verdict> verdicts = new ArrayList<>();

    private Goals(Results results, int processors) {
        this.results = results;
        manyProcessors = processors >= MANY_PROCESSORS;
    }

    /** A verdict for each part of each goal. */
    static List<Verdict> judge(Results results, int processors) {
        Goals goals = new Goals(results, processors);
        goals.floods();
        goals.grid();
        goals.million();
        goals.idleAndPaced();
        goals.bursts();
        goals.blocking();
        goals.insideThePool();
        return List.copyOf(goals.verdicts);
    }

    /** A line for each goal: reached if all its parts are, not reached if one is not. */
    static List<String> summary(List<Verdict> verdicts) {
        Map<String, List<Verdict>> byGoal = new LinkedHashMap<>();
        for (Verdict verdict : verdicts) {
            String goal = verdict.goal().substring(0, verdict.goal().indexOf(':'));
            byGoal.computeIfAbsent(goal, none -> new ArrayList<>()).add(verdict);
        }
        List<String> lines = new ArrayList<>();
        byGoal.forEach((goal, parts) -> lines.add(line(goal, parts)));
        return lines;
    }

    private static String line(String goal, List<Verdict> parts) {
        String text = String.format(
                Locale.ROOT,
                "%s %s: %d of %d parts reached, %d not, %d inconclusive, %d not measured",
                goal,
                all(parts).text().replace("*", ""),
                count(parts, Outcome.REACHED),
                parts.size(),
                count(parts, Outcome.NOT_REACHED),
                count(parts, Outcome.INCONCLUSIVE),
                count(parts, Outcome.NOT_MEASURED));
        Optional<Verdict> missed = parts.stream()
                .filter(part -> part.outcome() == Outcome.NOT_REACHED)
                .findFirst();
        return missed.map(part -> text + "; missed, for one: " + part.goal().substring(goal.length() + 2) + ": "
                        + part.asked() + ", got " + part.got())
                .orElse(text);
    }

    private static Outcome all(List<Verdict> parts) {
        if (count(parts, Outcome.NOT_REACHED) > 0) {
            return Outcome.NOT_REACHED;
        }
        if (count(parts, Outcome.NOT_MEASURED) == parts.size()) {
            return Outcome.NOT_MEASURED;
        }
        return count(parts, Outcome.REACHED) == parts.size() ? Outcome.REACHED : Outcome.INCONCLUSIVE;
    }

    private static int count(List<Verdict> parts, Outcome outcome) {
        return (int) parts.stream().filter(part -> part.outcome() == outcome).count();
    }

    private void floods() {
        for (Cell cell : Cell.of(Cell.FLOOD)) {
            boolean small = ((Flood) cell.workload()).micros() <= 1;
            double factor = small ? (manyProcessors ? 1.5 : 1.15) : 0.98;
            againstBest("SCH1", cell, Figure.RATE, factor);
        }
    }

    private void grid() {
        double[] factors = {1.5, 1.25, 0.98};
        int[] micros = {1, 10, 100};
        for (int i = 0; i < micros.length; i++) {
            int size = micros[i];
            List<Cell> cells = results.cells().stream()
                    .filter(cell -> cell.workload() instanceof Window window && window.micros() == size)
                    .toList();
            verdicts.add(Verdict.atLeast(
                    "SCH3: tasks of " + size + " us",
                    "tasks/s at least " + factors[i] + " x ThreadPoolExecutor, geometric mean of " + cells.size()
                            + " of " + Cell.of(Cell.WINDOW).size() / micros.length + " cells",
                    factors[i],
                    geometricMeans(cells)));
            verdicts.add(each(
                    "SCH3: tasks of " + size + " us",
                    "tasks/s at least 0.9 x ThreadPoolExecutor in each cell",
                    0.9,
                    cells,
                    Figure.RATE));
            verdicts.add(each(
                    "SCH3: tasks of " + size + " us",
                    "CPU per task at most that of ThreadPoolExecutor in each cell",
                    1,
                    cells,
                    Figure.CPU_PER_TASK));
        }
    }

    /** Round by round, over the cells that have a ratio in that round. */
    private List<Double> geometricMeans(List<Cell> cells) {
        SortedMap<Integer, List<Double>> logarithms = new TreeMap<>();
        for (Cell cell : cells) {
            results.ratiosByRound(cell, OURS, Contender.TPE, Figure.RATE)
                    .forEach((round, ratio) -> logarithms
                            .computeIfAbsent(round, none -> new ArrayList<>())
                            .add(Math.log(ratio)));
        }
        return logarithms.values().stream()
                .map(found -> Math.exp(found.stream()
                        .mapToDouble(Double::doubleValue)
                        .average()
                        .orElse(Double.NaN)))
                .toList();
    }

    /** One verdict over many cells: missed if one of them is missed. */
    private Verdict each(String goal, String asked, double factor, List<Cell> cells, Figure figure) {
        List<Verdict> parts = new ArrayList<>();
        String worst = "";
        double worstRatio = figure.moreIsBetter() ? Double.POSITIVE_INFINITY : 0;
        for (Cell cell : cells) {
            List<Double> ratios = results.ratios(cell, OURS, Contender.TPE, figure);
            parts.add(compared(goal, asked, figure, factor, ratios));
            if (!ratios.isEmpty()) {
                double median = Spread.of(ratios).median();
                if (figure.moreIsBetter() ? median < worstRatio : median > worstRatio) {
                    worstRatio = median;
                    worst = cell.name();
                }
            }
        }
        if (worst.isEmpty()) {
            return Verdict.notMeasured(goal, asked);
        }
        String got = String.format(
                Locale.ROOT,
                "%d of %d cells reached, %d not; worst median %.2f in %s",
                count(parts, Outcome.REACHED),
                parts.size(),
                count(parts, Outcome.NOT_REACHED),
                worstRatio,
                worst);
        return new Verdict(goal, asked, got, all(parts));
    }

    private void million() {
        for (Cell cell : Cell.of(Cell.MILLION)) {
            // The total is the inverse of the rate.
            verdicts.add(Verdict.atMost(
                    goal("SCH4", cell),
                    "total time at most 1.1 x the limit",
                    1.1,
                    results.ratios(cell, Contender.LIMIT, OURS, Figure.RATE)));
            against("SCH4", cell, Figure.CPU_PER_TASK, Contender.LIMIT, 1.15);
            atMost("SCH4", cell, Figure.SUBMIT_P50, 30);
            atMost("SCH4", cell, Figure.SUBMIT_P99, 100);
        }
        for (Cell cell : Cell.of(Cell.HANDOFF)) {
            againstBest("SCH4", cell, Figure.ROUND_TRIP_P50, 0.85);
            againstBest("SCH4", cell, Figure.ROUND_TRIP_P99, 1);
            if (((HandOff) cell.workload()).gapMicros() <= 10) {
                against("SCH4", cell, Figure.ROUND_TRIP_P50, Contender.TPE, 0.25);
            }
        }
    }

    private void idleAndPaced() {
        for (Cell cell : Cell.of(Cell.IDLE)) {
            atMost("SCH5", cell, Figure.IDLE_CPU, 10);
            atMost("SCH5", cell, Figure.IDLE_SWITCHES, 0.2);
        }
        for (Cell cell : Cell.of(Cell.OPEN)) {
            boolean slow = ((OpenLoop) cell.workload()).perSecond() <= 1_000;
            against("SCH5", cell, Figure.CPU_PERCENT, Contender.TPE, 1.05);
            against("SCH5", cell, Figure.DELAY_P50, Contender.TPE, slow ? 0.8 : 1);
        }
    }

    private void bursts() {
        for (Cell cell : Cell.of(Cell.BURST)) {
            if (((Bursts) cell.workload()).size() >= 100) {
                againstBest("SCH6", cell, Figure.MAKESPAN_P50, 0.9);
                againstBest("SCH6", cell, Figure.MAKESPAN_P99, 1);
            }
        }
    }

    private void blocking() {
        for (Cell cell : Cell.of(Cell.BLOCK)) {
            if (cell.workload() instanceof Sleepers) {
                against("SCH7", cell, Figure.FIRST_ROUND, Contender.TPE, 1.1);
                against("SCH7", cell, Figure.SECOND_ROUND, Contender.TPE, 1.02);
            } else {
                against("SCH7", cell, Figure.DELAY_P99, Contender.TPE, 1.2);
                atMost("SCH7", cell, Figure.DELAY_P99, 2_000);
            }
        }
    }

    private void insideThePool() {
        for (Cell cell : Cell.of(Cell.FORK)) {
            against("SCH8", cell, Figure.RATE, Contender.FJP, manyProcessors ? 0.95 : 1);
        }
    }

    private void againstBest(String id, Cell cell, Figure figure, double factor) {
        Optional<Contender> best = results.strongestPeer(cell, figure);
        if (best.isPresent()) {
            against(id, cell, figure, best.get(), factor);
        } else {
            verdicts.add(Verdict.notMeasured(goal(id, cell), asked(figure, factor, "the best peer")));
        }
    }

    private void against(String id, Cell cell, Figure figure, Contender reference, double factor) {
        verdicts.add(compared(
                goal(id, cell),
                asked(figure, factor, reference.title()),
                figure,
                factor,
                results.ratios(cell, OURS, reference, figure)));
    }

    private void atMost(String id, Cell cell, Figure figure, double limit) {
        double foreign =
                results.spread(cell, OURS, Figure.FOREIGN).map(Spread::median).orElse(Double.NaN);
        verdicts.add(Verdict.atMost(
                        goal(id, cell),
                        figure.title() + ": at most " + Figure.text(limit),
                        limit,
                        results.values(cell, OURS, figure))
                .unlessDisturbed(foreign));
    }

    private static Verdict compared(String goal, String asked, Figure figure, double factor, List<Double> ratios) {
        return figure.moreIsBetter()
                ? Verdict.atLeast(goal, asked, factor, ratios)
                : Verdict.atMost(goal, asked, factor, ratios);
    }

    private static String asked(Figure figure, double factor, String reference) {
        return figure.title() + ": at " + (figure.moreIsBetter() ? "least " : "most ") + factor + " x " + reference;
    }

    private static String goal(String id, Cell cell) {
        return id + ": " + cell.title();
    }
}
