// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import java.util.List;

/**
 * A computation of a fixed number of dependent steps, which uses no memory, lock or clock.
 *
 * <p>The number of steps per microsecond is measured once, before the forks start, and all forks use it. A task has a
 * fixed number of steps instead of a fixed time, so a contender that slows its tasks down needs more time.
 */
final class Burn {
    private static final String STEPS = "spindle.bench.steps";
    private static final int SHORT = 2_000;
    private static final int WARM_UPS = 20_000;
    private static final int SAMPLES = 2_000;

    /**
     * The number of steps per microsecond. The parent of a fork measures the number, and any other process measures its
     * own.
     */
    private static final double STEPS_PER_MICRO = stepsOfThisRun();

    private Burn() {}

    private static double stepsOfThisRun() {
        String steps = System.getProperty(STEPS);
        warmUp();
        return steps == null ? calibrate() : Double.parseDouble(steps);
    }

    static List<String> jvmArguments() {
        return List.of("-D" + STEPS + "=" + calibrate());
    }

    /** Returns the number of steps per microsecond in the fastest of many samples. */
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
                throw new AssertionError("no number of these steps leads to 0"); // prevents loop removal
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
