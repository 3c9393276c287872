// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.work.Flood;
import dev.spindle.benchmarks.pool.work.HandOff;
import dev.spindle.benchmarks.pool.work.Window;
import dev.spindle.benchmarks.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** SCH1 to SCH4: executors that have much to do, and what they ask of the kernel. */
final class LoadGoals {
    static final String NO_COUNT = "no system calls were counted: --futex does, where perf or strace works";

    private final Judge judge;
    private final Results results;

    LoadGoals(Judge judge) {
        this.judge = judge;
        results = judge.results();
    }

    void judge() {
        floods();
        futexCalls();
        grid();
        million();
    }

    private void floods() {
        for (Cell cell : Cell.of(Cell.FLOOD)) {
            boolean small = ((Flood) cell.workload()).micros() <= 1;
            double factor = small ? (judge.manyProcessors() ? 1.5 : 1.15) : 0.98;
            judge.againstBest("SCH1", cell, Figure.RATE, factor);
        }
    }

    private void futexCalls() {
        List<Cell> counted = results.cells().stream()
                .filter(cell -> !results.values(cell, Judge.OURS, Figure.FUTEX).isEmpty())
                .toList();
        if (counted.isEmpty()) {
            judge.add(Verdict.notMeasured("SCH2: futex calls per task", "at most those of the peers", NO_COUNT));
            return;
        }
        for (Cell cell : Cell.ALL) {
            boolean flood = cell.workload() instanceof Flood load && load.micros() <= 1;
            boolean window = cell.workload() instanceof Window load && load.spinning();
            if (flood || window) {
                judge.againstBest("SCH2", cell, Figure.FUTEX, 0.5);
            } else if (cell.name().equals("open-1000")) {
                judge.against("SCH2", cell, Figure.FUTEX, Contender.TPE, 1);
            }
        }
        judge.add(judge.each(
                "SCH2: in each row",
                "futex calls/task: at most 1.05 x the best peer",
                1.05,
                counted,
                Figure.FUTEX,
                cell -> results.strongestPeer(cell, Figure.FUTEX)));
    }

    private void grid() {
        double[] factors = {1.5, 1.25, 0.98};
        int[] micros = {1, 10, 100};
        for (int i = 0; i < micros.length; i++) {
            int size = micros[i];
            List<Cell> cells =
                    results.cells().stream().filter(cell -> inGrid(cell, size)).toList();
            long whole = Cell.ALL.stream().filter(cell -> inGrid(cell, size)).count();
            String goal = "SCH3: tasks of " + size + " us";
            judge.add(Verdict.atLeast(
                    goal,
                    "tasks/s at least " + factors[i] + " x ThreadPoolExecutor, geometric mean of " + cells.size()
                            + " of " + whole + " cells",
                    factors[i],
                    geometricMeans(cells)));
            judge.add(judge.each(
                    goal,
                    "tasks/s at least 0.9 x ThreadPoolExecutor in each cell",
                    0.9,
                    cells,
                    Figure.RATE,
                    cell -> Optional.of(Contender.TPE)));
            judge.add(judge.each(
                    goal,
                    "CPU per task at most that of ThreadPoolExecutor in each cell",
                    1,
                    cells,
                    Figure.CPU_PER_TASK,
                    cell -> Optional.of(Contender.TPE)));
        }
    }

    private static boolean inGrid(Cell cell, int micros) {
        return cell.workload() instanceof Window window && window.micros() == micros && !window.spinning();
    }

    /** Round by round, over the cells that have a ratio in that round. */
    private List<Double> geometricMeans(List<Cell> cells) {
        SortedMap<Integer, List<Double>> logarithms = new TreeMap<>();
        for (Cell cell : cells) {
            results.ratiosByRound(cell, Judge.OURS, Contender.TPE, Figure.RATE)
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

    private void million() {
        for (Cell cell : Cell.of(Cell.MILLION)) {
            // The total is the inverse of the rate.
            judge.add(Verdict.atMost(
                    Judge.goal("SCH4", cell),
                    "total time at most 1.1 x the limit",
                    1.1,
                    results.ratios(cell, Contender.LIMIT, Judge.OURS, Figure.RATE)));
            judge.against("SCH4", cell, Figure.CPU_PER_TASK, Contender.LIMIT, 1.15);
            judge.atMost("SCH4", cell, Figure.SUBMIT_P50, 30);
            judge.atMost("SCH4", cell, Figure.SUBMIT_P99, 100);
        }
        for (Cell cell : Cell.of(Cell.HANDOFF)) {
            judge.againstBest("SCH4", cell, Figure.ROUND_TRIP_P50, 0.85);
            judge.againstBest("SCH4", cell, Figure.ROUND_TRIP_P99, 1);
            if (((HandOff) cell.workload()).gapMicros() <= 10) {
                judge.against("SCH4", cell, Figure.ROUND_TRIP_P50, Contender.TPE, 0.25);
            }
        }
    }
}
