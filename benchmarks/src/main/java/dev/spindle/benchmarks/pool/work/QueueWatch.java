// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.forks.LatencyHistogram;
import dev.spindle.benchmarks.pool.stage.Figures;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds how far an executor is from first-in-first-out. The age of a task is how many tasks started between its submit
 * and its own start: in a queue that is strictly first-in-first-out, as many as were queued before it, and those whose
 * thread lost its processor on the way. An executor that lets new tasks go first makes the oldest wait for as many as
 * come.
 */
final class QueueWatch {
    static final List<Figure> FIGURES = List.of(Figures.OLDEST, Figures.OLDEST_P99);

    private final AtomicLong started = new AtomicLong();
    private final AtomicLong oldest = new AtomicLong();
    private final LatencyHistogram ages = new LatencyHistogram();

    /** The executor, with each of its tasks watched. */
    Executor over(Executor executor) {
        return task -> {
            long before = started.get();
            executor.execute(() -> {
                long age = started.getAndIncrement() - before;
                ages.record(age);
                if (age > oldest.get()) {
                    oldest.accumulateAndGet(age, Math::max);
                }
                task.run();
            });
        };
    }

    long oldest() {
        return oldest.get();
    }

    void report(Recorder recorder) {
        recorder.value(Figures.OLDEST, (double) oldest());
        recorder.value(Figures.OLDEST_P99, ages.percentile(0.99));
    }
}
