// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;

/**
 * Pi, as the sum of a million slices of a series: small pieces of work, and one place where all results come together.
 */
final class Pi implements Subject {
    static final int SLICES = 1_000_000;
    static final int WORKERS = 2;

    private static final int TERMS = 100;
    private static final double ROUNDING = 1e-9;

    private final Calculator calculator;
    private final int slices;

    /** One way to compute it. */
    interface Calculator extends AutoCloseable {
        /** Adds up so many slices, each in a piece of work of its own. */
        Result sum(int slices) throws InterruptedException;

        @Override
        void close();
    }

    /**
     * What came out.
     *
     * @param added how many results were added
     */
    record Result(double sum, long added) {}

    Pi(Calculator calculator, Scale scale) {
        this.calculator = calculator;
        slices = scale.of(SLICES, 1_000);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        recorder.begin();
        Result result = calculator.sum(slices);
        recorder.value(PipelineComparison.PI_MILLIS, recorder.end(slices) / 1e6);
        // What the series leaves out is less than its first term that is not added.
        double tolerance = 4.0 / (2.0 * slices * TERMS) + ROUNDING;
        boolean near = Math.abs(result.sum() - Math.PI) <= tolerance;
        recorder.violations(Math.abs(slices - result.added()) + (near ? 0 : 1));
    }

    @Override
    public void close() {
        calculator.close();
    }

    /** A piece of work. */
    static double slice(int index) {
        double sum = 0;
        for (int term = index * TERMS; term < (index + 1) * TERMS; term++) {
            sum += 4.0 * (1 - (term & 1) * 2) / (2 * term + 1);
        }
        return sum;
    }

    /** Neighbouring slices one after the other, without any hand-over. */
    static double slices(int from, int to) {
        double sum = 0;
        for (int slice = from; slice < to; slice++) {
            sum += slice(slice);
        }
        return sum;
    }
}
