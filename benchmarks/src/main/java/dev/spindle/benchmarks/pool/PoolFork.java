// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.ForkedJvm;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.benchmarks.forks.ThreadSwitches;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a forked JVM runs: one cell, one contender. First a checked pass, then ones that warm up, then the timed ones. A
 * scaled-down fork has one pass, which is both checked and timed.
 */
final class PoolFork {
    private static final int MOST_PASSES = 200;

    private PoolFork() {}

    /** Arguments: cell, contender, factor by which to scale the cell (1 for the real thing), loop steps in a microsecond. */
    public static void main(String[] args) throws InterruptedException {
        Cell cell = Cell.named(args[0]).orElseThrow();
        Contender contender = Contender.named(args[1]).orElseThrow();
        double scale = Double.parseDouble(args[2]);
        double stepsPerMicro = Double.parseDouble(args[3]);
        Burn.warmUp();
        try {
            System.out.println(ForkedJvm.RESULT
                    + measure(cell, contender, scale, stepsPerMicro).encode());
        } catch (StalledException e) {
            System.out.println(ForkedJvm.STALLED + e.getMessage());
        }
        // A stalled contender's threads, or a peer's own, must not keep the fork alive.
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static Measurement measure(Cell cell, Contender contender, double scale, double stepsPerMicro)
            throws InterruptedException {
        ThreadSwitches origin = ThreadSwitches.now();
        int threadsBefore = OwnProcess.restartPeak();
        Workload workload = cell.workload();
        Recorder recorder = new Recorder(origin);
        Stage stage = new Stage(contender, workload, new Burn(stepsPerMicro), scale);
        boolean full = scale >= 1;
        if (full) {
            warmUp(stage, workload.effort(), origin);
        }
        MachineLoad loadBefore = MachineLoad.now();
        long cpuBefore = OwnProcess.cpuNanos();
        long end = System.nanoTime() + workload.effort().timed().toNanos();
        int passes = 0;
        do {
            stage.pass(recorder, !full);
            passes++;
        } while (full && passes < MOST_PASSES && System.nanoTime() < end);
        Map<Figure, Double> figures = new EnumMap<>(recorder.figures(threadsBefore));
        figures.put(Figure.FOREIGN, MachineLoad.now().foreignPercent(loadBefore, OwnProcess.cpuNanos() - cpuBefore));
        stage.close();
        figures.put(Figure.MISCOUNTED, (double) stage.miscounted());
        return new Measurement(figures);
    }

    private static void warmUp(Stage stage, Workload.Effort effort, ThreadSwitches origin) throws InterruptedException {
        if (effort.warmUp().isZero()) {
            return;
        }
        long end = System.nanoTime() + effort.warmUp().toNanos();
        Recorder forgotten = new Recorder(origin);
        boolean check = true;
        do {
            stage.pass(forgotten, check);
            check = false;
        } while (System.nanoTime() < end);
        System.gc(); // a collection that the harness caused must not fall into the timed passes
    }
}
