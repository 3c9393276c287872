// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.ForkAnswer;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.OwnProcess;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a forked JVM runs: one cell, one contender. A scaled-down fork has one pass and no warm-up. */
public final class CompareFork {
    private CompareFork() {}

    /** Runs and ends the JVM. Arguments: cell, contender, factor by which to scale the cell. */
    public static void run(Comparison comparison, String[] arguments) {
        Cell cell = comparison.cell(arguments[0]);
        Contender contender = comparison.contender(arguments[1]);
        Subject.Scale scale = new Subject.Scale(Double.parseDouble(arguments[2]));
        ForkAnswer.giveAndHalt(() -> measure(cell, contender, scale).encode());
    }

    static Measurement measure(Cell cell, Contender contender, Subject.Scale scale) throws InterruptedException {
        Recorder forgotten = new Recorder();
        Recorder recorder = forgotten.another();
        Subject subject = cell.open(contender, scale);
        if (scale.full()) {
            warmUp(subject, cell.effort(), forgotten);
        }
        MachineLoad loadBefore = MachineLoad.now();
        long cpuBefore = OwnProcess.cpuNanos();
        long end = System.nanoTime() + cell.effort().timed().toNanos();
        int passes = 0;
        do {
            subject.pass(recorder);
            recorder.passed();
            passes++;
        } while (scale.full() && passes < cell.effort().passes() && System.nanoTime() < end);
        recorder.violations(forgotten.violations());
        Map<String, Double> values = new LinkedHashMap<>(recorder.values());
        long ownCpu = OwnProcess.cpuNanos() - cpuBefore;
        values.put(Figure.FOREIGN.field(), MachineLoad.now().foreignPercent(loadBefore, ownCpu));
        subject.close(); // only here: one that stalled might never end
        return new Measurement(values);
    }

    private static void warmUp(Subject subject, Effort effort, Recorder forgotten) throws InterruptedException {
        long end = System.nanoTime() + effort.warmUp().toNanos();
        do {
            subject.warmUp(forgotten);
        } while (System.nanoTime() < end);
        System.gc(); // a collection that the harness caused must not fall into the timed passes
    }
}
