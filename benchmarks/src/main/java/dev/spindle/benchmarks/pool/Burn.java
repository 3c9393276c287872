// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import java.util.List;

/**
 * Work that takes a known time without memory, locks or clocks: a loop whose every step depends on the previous one.
 *
 * <p>The number of steps in a microsecond is measured once, before the forks start, and is the same for all of them.
 * The work of a task is a number of steps and not a time, so a contender that slows its tasks down takes longer.
 */
final class Burn {
    private static final String STEPS = "spindle.bench.steps";
    private static final int SHORT = 2_000;
    private static final int WARM_UPS = 20_000;
    private static final int SAMPLES = 2_000;

    /** The steps of a microsecond, measured by the parent of a fork, or by this process if it has no parent. */
    private static final double STEPS_PER_MICRO = stepsOfThisRun();

    private Burn() {}

    private static double stepsOfThisRun() {
        String steps = System.getProperty(STEPS);
        warmUp();
        return steps == null ? calibrate() : Double.parseDouble(steps);
    }

    /** Returns the argument that makes the tasks of all forks of a run alike. */
    static List<String> jvmArguments() {
        return List.of("-D" + STEPS + "=" + calibrate());
    }

    /** Returns the number of steps in a microsecond, from the shortest of many samples. */
    static double calibrate() {
        warmUp();
        Runnable task = steps(SHORT);
        long best = Long.MAX_VALUE;
        for (int sample = 0; sample < SAMPLES; sample++) {
            long start = System.nanoTime();
            task.run();
            best = Math.min(best, System.nanoTime() - start);
        }
        return SHORT * 1_000.0 / Math.max(1, best);
    }

    /** Runs the loop until it is compiled, so that the first tasks of a fork are as short as the last. */
    private static void warmUp() {
        Runnable task = steps(SHORT);
        for (int i = 0; i < WARM_UPS; i++) {
            task.run();
        }
    }

    static Runnable task(double micros) {
        return steps((int) Math.max(1, Math.round(micros * STEPS_PER_MICRO)));
    }

    private static Runnable steps(int steps) {
        return () -> {
            if (spin(steps) == 0) {
                throw new AssertionError("no number of these steps leads to 0"); // so the loop is not removed
            }
        };
    }

    private static long spin(int steps) {
        long value = steps;
        for (int step = 0; step < steps; step++) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
        }
        return value;
    }
}
