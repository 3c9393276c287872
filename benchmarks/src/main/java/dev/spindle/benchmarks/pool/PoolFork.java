// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.CpuQuota;
import dev.spindle.benchmarks.forks.ForkAnswer;
import dev.spindle.benchmarks.forks.FutexCalls;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.forks.PerfFutex;
import dev.spindle.benchmarks.forks.StraceFutex;
import dev.spindle.benchmarks.forks.ThreadSwitches;
import dev.spindle.benchmarks.pool.stage.Burn;
import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Measurement;
import dev.spindle.benchmarks.pool.stage.Recorder;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a forked JVM runs: one cell, one contender. First a checked pass, then ones that warm up, then the timed ones. A
 * scaled-down fork has one pass, which is both checked and timed.
 */
final class PoolFork {
    private static final int MOST_PASSES = 200;

    private PoolFork() {}

    /**
     * Arguments: cell, contender, factor by which to scale the cell (1 for the real thing), loop steps in a microsecond, and
     * perhaps one of {@link Extras}.
     */
    public static void main(String[] args) {
        Cell cell = Cell.named(args[0]).orElseThrow();
        Contender contender = Contender.named(args[1]).orElseThrow();
        double scale = Double.parseDouble(args[2]);
        double stepsPerMicro = Double.parseDouble(args[3]);
        String extra = args.length > 4 ? args[4] : "";
        Burn.warmUp();
        ForkAnswer.giveAndHalt(() -> {
            Measurement measured = switch (extra) {
                case Extras.PERF, Extras.STRACE ->
                    count(cell, contender, scale, stepsPerMicro, extra.equals(Extras.PERF));
                default -> measure(cell, contender, scale, stepsPerMicro, Extras.statistics(extra));
            };
            return measured.encode();
        });
    }

    /** What a fork does beside running its cell. */
    static final class Extras {
        /** Counts system calls, and takes no time. */
        static final String PERF = "perf";
        /** Marks where the passes begin and end in which its parent counts system calls. */
        static final String STRACE = "strace";
        /** Begins the argument that names the file of the fork's control group. */
        static final String STATISTICS = "cpu.stat:";

        private Extras() {}

        private static Optional<Path> statistics(String argument) {
            return argument.startsWith(STATISTICS)
                    ? Optional.of(Path.of(argument.substring(STATISTICS.length())))
                    : Optional.empty();
        }
    }

    /** @param statistics of the fork's control group, where it is held in one */
    static Measurement measure(
            Cell cell, Contender contender, double scale, double stepsPerMicro, Optional<Path> statistics)
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
        double throttledBefore = statistics.map(CpuQuota::throttledMillis).orElse(Double.NaN);
        long start = System.nanoTime();
        long end = start + workload.effort().timed().toNanos();
        int passes = 0;
        do {
            stage.pass(recorder, !full);
            passes++;
        } while (full && passes < MOST_PASSES && System.nanoTime() < end);
        Map<Figure, Double> figures = new EnumMap<>(recorder.figures(threadsBefore));
        long ownCpu = OwnProcess.cpuNanos() - cpuBefore + recorder.hiredNanos();
        figures.put(Figure.FOREIGN, MachineLoad.now().foreignPercent(loadBefore, ownCpu));
        statistics.ifPresent(file -> figures.put(
                Figure.THROTTLED,
                (CpuQuota.throttledMillis(file) - throttledBefore) * 1e9 / (System.nanoTime() - start)));
        stage.close();
        figures.put(Figure.MISCOUNTED, (double) stage.miscounted());
        return new Measurement(figures);
    }

    /** One pass that is checked and warms up, and one in which system calls are counted. */
    private static Measurement count(Cell cell, Contender contender, double scale, double stepsPerMicro, boolean perf)
            throws InterruptedException {
        Recorder recorder = new Recorder(ThreadSwitches.now());
        Stage stage = new Stage(contender, cell.workload(), new Burn(stepsPerMicro), scale);
        stage.pass(new Recorder(ThreadSwitches.now()), true);
        System.gc();
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        if (perf) {
            PerfFutex counter = new PerfFutex();
            counter.begin();
            stage.pass(recorder, false);
            figures.putAll(perTask(counter.end(), (double) recorder.tasks()));
        } else {
            StraceFutex.begin();
            stage.pass(recorder, false);
            StraceFutex.end();
        }
        figures.put(Figure.TASKS, (double) recorder.tasks());
        return new Measurement(figures);
    }

    static Map<Figure, Double> perTask(FutexCalls calls, double tasks) {
        return Map.of(
                Figure.FUTEX, (calls.waits() + calls.wakes()) / tasks,
                Figure.FUTEX_WAIT, calls.waits() / tasks,
                Figure.FUTEX_WAKE, calls.wakes() / tasks);
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
