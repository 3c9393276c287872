// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The main class of a fork, which measures one contender in one cell. A scaled-down fork runs one pass without a
 * warm-up.
 */
final class CompareFork {
    static final String MEASURED = "@measured ";
    static final String STALLED = "@stalled ";
    /** The argument of a fork that counts system calls instead of measuring time. */
    static final String FUTEX = "futex";

    /** The compilers are nearly idle if their processor time is below this fraction of the elapsed time. */
    private static final double COMPILING = 0.05;
    /** The maximum time of the warm-up, as a multiple of {@link Effort#warmUp()}. */
    private static final int MOST_WARM_UPS = 5;

    private CompareFork() {}

    /**
     * Prints the result and halts the JVM, which threads of a contender might otherwise keep alive. The arguments are
     * the class of the comparison, the cell, the contender and the scale factor. The optional fifth argument is
     * {@link #FUTEX}, or the statistics file of the fork's control group.
     */
    public static void main(String[] arguments) {
        int status = 0;
        try {
            System.out.println(MEASURED + Figure.encode(run(arguments)));
        } catch (StalledException e) {
            System.out.println(STALLED + e.getMessage());
        } catch (Throwable broken) {
            broken.printStackTrace();
            status = 1;
        }
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }

    private static Map<String, Double> run(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        Object found = Class.forName(arguments[0]).getMethod("comparison").invoke(null);
        Comparison comparison = (Comparison) Objects.requireNonNull(found, "comparison");
        Cell cell = comparison.cell(arguments[1]);
        Contender contender = comparison.contender(arguments[2]);
        Subject.Scale scale = new Subject.Scale(Double.parseDouble(arguments[3]));
        Optional<String> extra = arguments.length > 4 ? Optional.of(arguments[4]) : Optional.empty();
        return extra.filter(FUTEX::equals).isPresent()
                ? count(cell, contender, scale)
                : measure(cell, contender, scale, extra.map(Path::of));
    }

    /** @param statistics the statistics file of the fork's control group; empty if the fork has no control group */
    private static Map<String, Double> measure(
            Cell cell, Contender contender, Subject.Scale scale, Optional<Path> statistics)
            throws InterruptedException {
        Recorder forgotten = new Recorder();
        Recorder recorder = forgotten.another();
        Subject subject = cell.open(contender, scale);
        if (scale.full() && !cell.effort().warmUp().isZero()) {
            warmUp(subject, cell.effort(), forgotten);
        }
        MachineLoad loadBefore = MachineLoad.now();
        long cpuBefore = OwnProcess.cpuNanos();
        double throttledBefore = statistics.map(ControlGroup::throttledMillis).orElse(Double.NaN);
        long start = System.nanoTime();
        long end = start + cell.effort().timed().toNanos();
        int passes = 0;
        do {
            subject.pass(recorder);
            recorder.passed();
            passes++;
        } while (scale.full() && passes < cell.effort().passes() && System.nanoTime() < end);
        Map<String, Double> values = new LinkedHashMap<>(recorder.values());
        if (!Double.isNaN(forgotten.coldNanosPerOp())) {
            values.put(Figure.COLD.field(), forgotten.coldNanosPerOp());
        }
        long ownCpu = OwnProcess.cpuNanos() - cpuBefore + recorder.hiredNanos();
        values.put(Figure.FOREIGN.field(), MachineLoad.now().foreignPercent(loadBefore, ownCpu));
        statistics.ifPresent(file -> values.put(
                Figure.THROTTLED.field(),
                (ControlGroup.throttledMillis(file) - throttledBefore) * 1e9 / (System.nanoTime() - start)));
        subject.close(); // not after an exception: closing a stalled subject might never return
        long violations = forgotten.violations() + recorder.violations() + subject.violations();
        values.put(Figure.VIOLATIONS.field(), (double) violations);
        return values;
    }

    /** Runs a warm-up pass, and a pass whose system calls are counted. */
    private static Map<String, Double> count(Cell cell, Contender contender, Subject.Scale scale)
            throws InterruptedException {
        Recorder forgotten = new Recorder();
        Recorder recorder = forgotten.another();
        Subject subject = cell.open(contender, scale);
        subject.warmUp(forgotten);
        System.gc();
        Perf perf = Perf.ofOwnFutexCalls();
        subject.pass(recorder);
        double calls = perf.end().stream().mapToLong(Long::longValue).sum();
        // The number of operations is 0 here if the contender runs in another process.
        return Map.of(Figure.FUTEX.field(), recorder.ops() > 0 ? calls / recorder.ops() : Double.NaN);
    }

    /**
     * Runs passes for the warm-up time of the effort, and then until the compilers are nearly idle, but at most for
     * {@link #MOST_WARM_UPS} times the warm-up time.
     */
    private static void warmUp(Subject subject, Effort effort, Recorder forgotten) throws InterruptedException {
        long least = effort.warmUp().toNanos();
        long start = System.nanoTime();
        long lookedAt = start;
        long compiled = ThreadCosts.ofCompilers();
        boolean warm = false;
        while (!warm) {
            subject.warmUp(forgotten);
            long now = System.nanoTime();
            if (now - lookedAt >= least / 2) {
                long before = compiled;
                compiled = ThreadCosts.ofCompilers();
                boolean idle = compiled - before < COMPILING * (now - lookedAt);
                warm = now - start >= (idle ? least : MOST_WARM_UPS * least);
                lookedAt = now;
            }
        }
        System.gc(); // collects the harness's garbage before the timed passes
    }
}
