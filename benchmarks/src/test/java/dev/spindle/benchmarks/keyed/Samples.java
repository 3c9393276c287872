// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

/** Made-up figures. */
final class Samples {
    private Samples() {}

    static Measurement measurement(double millis) {
        return new Measurement(3, millis, 2 * millis, 2, 10, 5, 0, 0, 0, 1, Double.NaN, Double.NaN);
    }

    static Measurement broken(double millis, long misplaced, long overlaps, long miscounted) {
        return new Measurement(
                3, millis, 2 * millis, 2, 10, 5, misplaced, overlaps, miscounted, 1, Double.NaN, Double.NaN);
    }

    static Measurement disturbed(double millis, double foreignPercent) {
        return new Measurement(3, millis, 2 * millis, 2, 10, 5, 0, 0, 0, foreignPercent, Double.NaN, Double.NaN);
    }

    static Measurement threads(double millis, int threads) {
        return new Measurement(3, millis, 2 * millis, threads, 10, 5, 0, 0, 0, 1, Double.NaN, Double.NaN);
    }

    static Measurement delay(double delayMillis) {
        return new Measurement(1, Double.NaN, 10, 2, 10, 5, 0, 0, 0, 1, delayMillis, 0.5);
    }

    static ForkResult result(int round, Cell cell, Contender contender, Measurement measurement) {
        return ForkResult.measured(new Plan.Fork(round, cell, contender), measurement);
    }
}
