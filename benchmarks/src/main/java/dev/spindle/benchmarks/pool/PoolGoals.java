// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import static dev.spindle.benchmarks.peers.Contenders.FJP;
import static dev.spindle.benchmarks.peers.Contenders.LIMIT;
import static dev.spindle.benchmarks.peers.Contenders.PLAIN;
import static dev.spindle.benchmarks.peers.Contenders.SPINDLE;
import static dev.spindle.benchmarks.peers.Contenders.TPE;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Workload;
import dev.spindle.benchmarks.pool.work.Bursts;
import dev.spindle.benchmarks.pool.work.Flood;
import dev.spindle.benchmarks.pool.work.HandOff;
import dev.spindle.benchmarks.pool.work.OpenLoop;
import dev.spindle.benchmarks.pool.work.Waiters;
import dev.spindle.benchmarks.pool.work.Window;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What the executor has to reach beside the limit and the peers: SCH1 to SCH10. */
record PoolGoals(Judge judge, List<Cell> cells, Map<String, Workload> workloads) {
    private static final int MANY_PROCESSORS = 16;
    private static final int SMALL_BURST = 10;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    void judgeAll() {
        for (Cell cell : cells) {
            Workload workload = workload(cell);
            switch (cell.group()) {
                case "flood" -> flood(cell, (Flood) workload);
                case "million" -> million(cell);
                case "handoff" -> handOff(cell, (HandOff) workload);
                case "open" -> open(cell, (OpenLoop) workload);
                case "burst" -> burst(cell, (Bursts) workload);
                case "block" -> block(cell, workload);
                case "fork" -> judge.against("SCH8", cell, SPINDLE, FJP, Figures.RATE, manyProcessors() ? 0.95 : 1);
                // A linked queue is first-in-first-out, and has the same trouble with threads that lose their
                // processor.
                case "age" -> judge.against("SCH8", cell, SPINDLE, TPE, Figures.OLDEST, 2);
                case "crowd" -> judge.againstBest("SCH9", cell, SPINDLE, Figures.PER_CPU_SECOND, 1.1);
                case "quota" -> {
                    judge.noMoreThan("SCH9", cell, SPINDLE, TPE, Figure.THROTTLED);
                    judge.against("SCH9", cell, SPINDLE, TPE, Figures.DELAY.tail(), 1);
                }
                case "shared-total" -> {
                    judge.against("SCH10", cell, SPINDLE, PLAIN, Figures.RATE, 0.95);
                    judge.againstBest("SCH10", cell, SPINDLE, Figures.RATE, 2);
                }
                case "shared-quiet" -> judge.atMost("SCH10", cell.name(), SPINDLE, Figures.QUIET_RATIO, 2);
                case "idle" -> {
                    judge.atMost("SCH5", cell.name(), SPINDLE, Figures.IDLE_CPU, 10);
                    judge.atMost("SCH5", cell.name(), SPINDLE, Figures.IDLE_SWITCHES, 0.2);
                }
                default -> spinningWindow(cell);
            }
        }
        judge.each(
                "SCH2: in each row",
                "futex calls/op: at most 1.05 x the best peer",
                cells.stream()
                        .filter(cell ->
                                !List.of("idle", "crowd", "age", "quota").contains(cell.group()))
                        .toList(),
                SPINDLE,
                Figure.FUTEX,
                1.05,
                cell -> judge.best(cell, Figure.FUTEX));
        grid(1, 1.5);
        grid(10, 1.25);
        grid(100, 0.98);
    }

    private void flood(Cell cell, Flood flood) {
        boolean small = flood.micros() <= 1;
        judge.againstBest("SCH1", cell, SPINDLE, Figures.RATE, small ? manyProcessors() ? 1.5 : 1.15 : 0.98);
        if (small) {
            judge.againstBest("SCH2", cell, SPINDLE, Figure.FUTEX, 0.5);
        }
    }

    private void spinningWindow(Cell cell) {
        if (((Window) workload(cell)).spinning()) {
            judge.againstBest("SCH2", cell, SPINDLE, Figure.FUTEX, 0.5);
        }
    }

    private void grid(int micros, double factor) {
        List<Cell> grid = cells.stream()
                .filter(cell ->
                        workload(cell) instanceof Window window && window.micros() == micros && !window.spinning())
                .toList();
        String goal = "SCH3: tasks of " + micros + " us";
        Optional<Contender> tpe = Optional.of(TPE);
        judge.meanAtLeast(
                goal,
                "tasks/s at least " + factor + " x ThreadPoolExecutor, geometric mean of the cells",
                grid,
                SPINDLE,
                TPE,
                Figures.RATE,
                factor);
        judge.each(
                goal,
                "tasks/s at least 0.9 x ThreadPoolExecutor in each cell",
                grid,
                SPINDLE,
                Figures.RATE,
                0.9,
                cell -> tpe);
        judge.each(
                goal,
                "CPU per task at most that of ThreadPoolExecutor in each cell",
                grid,
                SPINDLE,
                Figure.CPU,
                1,
                cell -> tpe);
    }

    private void million(Cell cell) {
        judge.atLeast("SCH4", cell.name(), SPINDLE, LIMIT, Figures.RATE, 0.91); // at most 1.1 times its time
        judge.against("SCH4", cell, SPINDLE, LIMIT, Figure.CPU, 1.15);
        judge.atMost("SCH4", cell.name(), SPINDLE, Figures.SUBMIT.median(), 30);
        judge.atMost("SCH4", cell.name(), SPINDLE, Figures.SUBMIT.tail(), 100);
    }

    private void handOff(Cell cell, HandOff handOff) {
        judge.againstBest("SCH4", cell, SPINDLE, Figures.ROUND_TRIP.median(), 0.85);
        judge.againstBest("SCH4", cell, SPINDLE, Figures.ROUND_TRIP.tail(), 1);
        if (handOff.gapMicros() <= 10) {
            judge.against("SCH4", cell, SPINDLE, TPE, Figures.ROUND_TRIP.median(), 0.25);
        }
    }

    private void open(Cell cell, OpenLoop load) {
        boolean slow = load.perSecond() == 1_000;
        judge.against("SCH5", cell, SPINDLE, TPE, Figures.CPU_PERCENT, 1.05);
        judge.against("SCH5", cell, SPINDLE, TPE, Figures.DELAY.median(), slow ? 0.8 : 1);
        if (slow) {
            judge.against("SCH2", cell, SPINDLE, TPE, Figure.FUTEX, 1);
        }
    }

    private void burst(Cell cell, Bursts bursts) {
        if (bursts.size() <= SMALL_BURST) {
            judge.atMost("SCH6", cell.name(), SPINDLE, Figures.WAKE_UPS, 1);
        } else {
            judge.againstBest("SCH6", cell, SPINDLE, Figures.MAKESPAN.median(), 0.9);
            judge.againstBest("SCH6", cell, SPINDLE, Figures.MAKESPAN.tail(), 1);
            judge.atMost("SCH6", cell.name(), SPINDLE, Figures.WAKE_UPS, PROCESSORS);
        }
    }

    private void block(Cell cell, Workload workload) {
        if (workload instanceof Waiters) {
            judge.against("SCH7", cell, SPINDLE, TPE, Figures.FIRST_ROUND, 1.1);
            judge.against("SCH7", cell, SPINDLE, TPE, Figures.SECOND_ROUND, 1.02);
        } else {
            judge.against("SCH7", cell, SPINDLE, TPE, Figures.DELAY.tail(), 1.2);
            judge.atMost("SCH7", cell.name(), SPINDLE, Figures.DELAY.tail(), 2_000);
        }
    }

    private static boolean manyProcessors() {
        return PROCESSORS >= MANY_PROCESSORS;
    }

    private Workload workload(Cell cell) {
        return Objects.requireNonNull(workloads.get(cell.name()), "every cell has one");
    }
}
