// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.CpuQuota;
import dev.spindle.benchmarks.forks.ForkAnswer;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.forks.PerfFutex;
import dev.spindle.benchmarks.forks.ProcessorDistance;
import dev.spindle.benchmarks.forks.ThreadCpu;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a forked JVM runs: one cell, one contender. A scaled-down fork has one pass and no warm-up. */
public final class CompareFork {
    /** An argument: the fork counts system calls, and takes no time. */
    static final String FUTEX = "futex";

    private static final long DISTANCE_NANOS = 20_000_000;
    /** The share of a processor that compilers may still take when a fork is warm. */
    private static final double COMPILING = 0.05;
    /** The longest warm-up, in those that are asked for. */
    private static final int MOST_WARM_UPS = 5;

    private CompareFork() {}

    /**
     * Runs and ends the JVM. Arguments: cell, contender, factor by which to scale the cell, and perhaps {@link #FUTEX}
     * or the file with the statistics of the fork's control group.
     */
    public static void run(Comparison comparison, String[] arguments) {
        Cell cell = comparison.cell(arguments[0]);
        Contender contender = comparison.contender(arguments[1]);
        Subject.Scale scale = new Subject.Scale(Double.parseDouble(arguments[2]));
        Optional<String> extra = arguments.length > 3 ? Optional.of(arguments[3]) : Optional.empty();
        ForkAnswer.giveAndHalt(() -> {
            Measurement measured = extra.filter(FUTEX::equals).isPresent()
                    ? count(cell, contender, scale)
                    : measure(cell, contender, scale, extra.map(Path::of));
            return measured.encode();
        });
    }

    /** @param statistics of the fork's control group, where it is held in one */
    static Measurement measure(Cell cell, Contender contender, Subject.Scale scale, Optional<Path> statistics)
            throws InterruptedException {
        ProcessorDistance distance = // its thread is none of the contender's
                scale.full() && statistics.isEmpty() ? ProcessorDistance.open() : null;
        Recorder forgotten = new Recorder();
        Recorder recorder = forgotten.another();
        Subject subject = cell.open(contender, scale);
        if (scale.full() && !cell.effort().warmUp().isZero()) {
            warmUp(subject, cell.effort(), forgotten);
        }
        MachineLoad loadBefore = MachineLoad.now();
        long cpuBefore = OwnProcess.cpuNanos();
        double throttledBefore = statistics.map(CpuQuota::throttledMillis).orElse(Double.NaN);
        long start = System.nanoTime();
        long end = start + cell.effort().timed().toNanos();
        int passes = 0;
        long measured = start - DISTANCE_NANOS;
        do {
            subject.pass(recorder);
            recorder.passed();
            passes++;
            if (distance != null && System.nanoTime() - measured >= DISTANCE_NANOS) {
                distance.nanos().ifPresent(nanos -> recorder.value(Figure.DISTANCE, nanos));
                measured = System.nanoTime();
            }
        } while (scale.full() && passes < cell.effort().passes() && System.nanoTime() < end);
        Map<String, Double> values = new LinkedHashMap<>(recorder.values());
        if (!Double.isNaN(forgotten.coldNanosPerOp())) {
            values.put(Figure.COLD.field(), forgotten.coldNanosPerOp());
        }
        long ownCpu = OwnProcess.cpuNanos() - cpuBefore + recorder.hiredNanos();
        values.put(Figure.FOREIGN.field(), MachineLoad.now().foreignPercent(loadBefore, ownCpu));
        statistics.ifPresent(file -> values.put(
                Figure.THROTTLED.field(),
                (CpuQuota.throttledMillis(file) - throttledBefore) * 1e9 / (System.nanoTime() - start)));
        if (distance != null) {
            distance.close();
        }
        subject.close(); // only here: one that stalled might never end
        values.put(Figure.VIOLATIONS.field(), (double)
                (forgotten.violations() + recorder.violations() + subject.violations()));
        return new Measurement(values);
    }

    /** One pass that warms up, and one in which system calls are counted. */
    private static Measurement count(Cell cell, Contender contender, Subject.Scale scale) throws InterruptedException {
        Recorder forgotten = new Recorder();
        Recorder recorder = forgotten.another();
        Subject subject = cell.open(contender, scale);
        subject.warmUp(forgotten);
        System.gc();
        PerfFutex perf = new PerfFutex();
        perf.begin();
        subject.pass(recorder);
        PerfFutex.Calls calls = perf.end();
        double ops = recorder.ops() > 0 ? recorder.ops() : Double.NaN; // none where the contender is another process
        return new Measurement(Map.of(
                Figure.FUTEX.field(), (calls.waits() + calls.wakes()) / ops,
                Figure.FUTEX_WAIT.field(), calls.waits() / ops,
                Figure.FUTEX_WAKE.field(), calls.wakes() / ops));
    }

    /** Runs passes for as long as the effort says, and then until the compilers have little to do. */
    private static void warmUp(Subject subject, Effort effort, Recorder forgotten) throws InterruptedException {
        long least = effort.warmUp().toNanos();
        long start = System.nanoTime();
        long lookedAt = start;
        long compiled = ThreadCpu.ofCompilers();
        boolean warm = false;
        while (!warm) {
            subject.warmUp(forgotten);
            long now = System.nanoTime();
            if (now - lookedAt >= least / 2) {
                long before = compiled;
                compiled = ThreadCpu.ofCompilers();
                boolean idle = compiled - before < COMPILING * (now - lookedAt);
                warm = now - start >= (idle ? least : MOST_WARM_UPS * least);
                lookedAt = now;
            }
        }
        System.gc(); // a collection that the harness caused must not fall into the timed passes
    }
}
