// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.ForkAnswer;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.forks.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a forked JVM runs: one cell, one contender. First a checked pass, then unchecked ones until the compiler has
 * seen enough, then the timed ones.
 */
final class KeyedFork {
    /**
     * How long to warm up and to measure.
     *
     * @param warmUp unchecked passes are run for this long
     * @param timed passes are timed until they took this long together
     * @param maxPasses but never more of either kind than these
     * @param passLimit a pass that takes longer counts as stalled
     */
    record Budget(Duration warmUp, Duration timed, int maxPasses, Duration passLimit) {
        static final Budget FULL =
                new Budget(Duration.ofMillis(900), Duration.ofMillis(700), 25, Duration.ofSeconds(60));
        static final Budget QUICK = new Budget(Duration.ZERO, Duration.ZERO, 1, Duration.ofSeconds(30));
    }

    private KeyedFork() {}

    /** Arguments: cell, contender, factor by which to scale the cell (1 for the real thing), seed. */
    public static void main(String[] args) {
        Cell cell = Cell.named(args[0]).orElseThrow();
        Contender contender = Contender.named(args[1]).orElseThrow();
        double scale = Double.parseDouble(args[2]);
        long seed = Long.parseLong(args[3]);
        int processors = Runtime.getRuntime().availableProcessors();
        Budget budget = scale < 1 ? Budget.QUICK : Budget.FULL;
        ForkAnswer.giveAndHalt(
                () -> measure(cell, contender, scale, seed, processors, budget).encode());
    }

    static Measurement measure(Cell cell, Contender contender, double scale, long seed, int processors, Budget budget)
            throws InterruptedException {
        if (cell.blocks()) {
            return BlockedKey.measure(cell, contender, scale, processors);
        }
        Cell scaled = cell.scaled(scale);
        Ledger checked = Pass.run(contender, Workload.checked(scaled.warmUp(), seed), processors, budget.passLimit())
                .ledger();
        long warm = System.nanoTime() + budget.warmUp().toNanos();
        for (int pass = 0; pass < budget.maxPasses() && System.nanoTime() < warm; pass++) {
            Pass.run(contender, Workload.timed(scaled.warmUp(), seed), processors, budget.passLimit());
        }
        return timed(scaled, contender, seed, processors, budget, checked);
    }

    private static Measurement timed(
            Cell cell, Contender contender, long seed, int processors, Budget budget, Ledger checked)
            throws InterruptedException {
        List<Pass> passes = new ArrayList<>();
        double total = 0;
        MachineLoad loadBefore = MachineLoad.now();
        long cpuBefore = OwnProcess.cpuNanos();
        while (passes.isEmpty()
                || (passes.size() < budget.maxPasses() && total < budget.timed().toMillis())) {
            Workload workload = Workload.timed(cell, seed);
            System.gc(); // a collection that the harness caused must not fall into somebody's pass
            Pass pass = Pass.run(contender, workload, processors, budget.passLimit());
            passes.add(pass);
            total += pass.millis();
        }
        double foreign = MachineLoad.now().foreignPercent(loadBefore, OwnProcess.cpuNanos() - cpuBefore);
        return new Measurement(
                passes.size(),
                Spread.of(passes.stream().map(Pass::millis).toList()).median(),
                mean(passes.stream().map(Pass::cpuMillis).toList()),
                passes.stream().mapToInt(Pass::threads).max().orElse(0),
                mean(passes.stream().map(pass -> pass.switches().voluntary()).toList()),
                mean(passes.stream().map(pass -> pass.switches().involuntary()).toList()),
                checked.misplaced(),
                checked.overlaps(),
                checked.miscounted()
                        + passes.stream()
                                .mapToLong(pass -> pass.ledger().miscounted())
                                .sum(),
                foreign,
                Double.NaN,
                Double.NaN);
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }
}
