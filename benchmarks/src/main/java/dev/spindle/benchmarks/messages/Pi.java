// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;

/** Computes pi as the sum of many slices of a series: small pieces of work, whose results are added up in one place. */
final class Pi implements Subject {
    static final Figure TIME = Figure.less("ms", "ms");
    static final int WORKERS = 2;

    private static final double ROUNDING = 1e-9;

    private final Calculator calculator;
    private final Series series;
    private final int slices;

    /** A way to compute the sum. */
    interface Calculator extends AutoCloseable {
        /** Adds up {@code slices} slices, each of which is a separate piece of work. */
        Result sum(int slices) throws InterruptedException;

        @Override
        void close();
    }

    interface Maker {
        Calculator of(Series series);
    }

    /** @param added the number of results that were added */
    record Result(double sum, long added) {}

    Pi(Maker maker, Series series, Scale scale) {
        this.series = series;
        calculator = maker.of(series);
        slices = scale.of(series.slices(), 1_000);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        recorder.begin();
        Result result = calculator.sum(slices);
        recorder.value(TIME, recorder.end(slices) / 1e6);
        // The rest of the series is smaller than its first omitted term.
        double tolerance = 4.0 / (2.0 * slices * series.terms()) + ROUNDING;
        boolean near = Math.abs(result.sum() - Math.PI) <= tolerance;
        recorder.violations(Math.abs(slices - result.added()) + (near ? 0 : 1));
    }

    @Override
    public void close() {
        calculator.close();
    }

    /**
     * The pieces of work.
     *
     * @param slices the number of slices
     * @param terms the number of terms in each slice
     */
    record Series(int slices, int terms) {
        static final Series SMALL = new Series(1_000_000, 100);
        static final Series LARGE = new Series(100_000, 1_000);

        double slice(int index) {
            double sum = 0;
            int end = (index + 1) * terms;
            for (int term = index * terms; term < end; term++) {
                sum += 4.0 * (1 - (term & 1) * 2) / (2 * term + 1);
            }
            return sum;
        }
    }
}
