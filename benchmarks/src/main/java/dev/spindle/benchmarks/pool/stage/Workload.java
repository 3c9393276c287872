// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import java.time.Duration;
import java.util.List;

/** What a cell asks of an executor. */
public interface Workload {
    Effort THROUGHPUT = effort(800, 1_000, 300);
    Effort GRID = effort(500, 600, 250);
    Effort LATENCY = effort(1_000, 2_000, 800);

    /** Passes are short; the median of two hundred is as good as that of more. */
    static Effort effort(long warmUpMillis, long timedMillis, long passMillis) {
        return new Effort(
                Duration.ofMillis(warmUpMillis), Duration.ofMillis(timedMillis), Duration.ofMillis(passMillis), 200);
    }

    /** How many threads the executor gets. */
    int threads();

    /** The most tasks that are handed over and have not ended, for executors whose queue has a bound. */
    int outstanding();

    /** What it finds beside the costs that every cell has; the first figure decides who is strongest. */
    List<Figure> figures();

    /** Whether plain threads can do the same work without handing it over. */
    default boolean hasLimit() {
        return true;
    }

    /** How many plain threads the limit takes: by default what the processors can run at a time. */
    default int limitThreads(int processors) {
        return Math.min(processors, threads());
    }

    /** Whether many executors and keys share the pool: then the peers are arrangements that do that. */
    default boolean shared() {
        return false;
    }

    /** Whether each pass wants an executor that has run nothing yet. */
    default boolean freshExecutor() {
        return false;
    }

    default Effort effort() {
        return THROUGHPUT;
    }

    /** Runs once and tells the stage's recorder what it found. Returns when every task has run. */
    void pass(Stage stage) throws InterruptedException;
}
