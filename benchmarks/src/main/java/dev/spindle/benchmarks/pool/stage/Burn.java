// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import java.util.List;

/**
 * Work that takes a known time without memory, locks or clocks: a loop whose every step needs the one before.
 *
 * <p>How many steps a microsecond holds is found once, before the forks start, and is then the same for all of them: a
 * task is so many steps, not so much time, and a contender that slows its tasks down shows it.
 */
public final class Burn {
    private static final String STEPS = "spindle.bench.steps";
    private static final int SHORT = 2_000;
    private static final int WARM_UPS = 20_000;
    private static final int SAMPLES = 2_000;

    private final double stepsPerMicro;

    public Burn(double stepsPerMicro) {
        if (!(stepsPerMicro > 0)) {
            throw new IllegalArgumentException("steps per microsecond must be above 0, are " + stepsPerMicro);
        }
        this.stepsPerMicro = stepsPerMicro;
    }

    /** That of a fork, whose parent has found the steps; calibrated here where there is none. */
    static Burn ofThisRun() {
        return OfThisRun.BURN;
    }

    private static final class OfThisRun {
        static final Burn BURN = make();

        private static Burn make() {
            String steps = System.getProperty(STEPS);
            warmUp();
            return new Burn(steps == null ? calibrate() : Double.parseDouble(steps));
        }
    }

    /** What makes the tasks of all forks of a run alike. */
    public static List<String> jvmArguments() {
        return List.of("-D" + STEPS + "=" + calibrate());
    }

    /** Compiles the loop and times it: the steps of a microsecond with nothing in the way. */
    static double calibrate() {
        warmUp();
        Runnable task = new Burn(SHORT).task(1);
        long best = Long.MAX_VALUE;
        for (int sample = 0; sample < SAMPLES; sample++) {
            long start = System.nanoTime();
            task.run();
            best = Math.min(best, System.nanoTime() - start);
        }
        return SHORT * 1_000.0 / Math.max(1, best);
    }

    /** Makes the JVM compile the loop, so that the first tasks of a fork are as short as the last. */
    private static void warmUp() {
        Runnable task = new Burn(SHORT).task(1);
        for (int i = 0; i < WARM_UPS; i++) {
            task.run();
        }
    }

    public Runnable task(double micros) {
        int steps = (int) Math.max(1, Math.round(micros * stepsPerMicro));
        return () -> {
            if (spin(steps) == 0) {
                throw new AssertionError("no number of these steps leads to 0"); // keeps the loop in the code
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
