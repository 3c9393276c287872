// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import java.util.List;

/**
 * The work that a cell asks of an executor.
 *
 * @param threads how many threads the executor gets
 * @param outstanding the most tasks that are handed over and have not ended, for executors whose queue has a bound
 * @param limitThreads how many plain threads the limit has, which does the same without handing it over; 0 if it cannot
 * @param fresh whether each pass runs on an executor that has run nothing yet
 * @param shared whether many executors and keys share the pool: the peers are arrangements of them
 */
public record Load(
        int threads,
        int outstanding,
        List<Figure> figures,
        Pass pass,
        Effort effort,
        int limitThreads,
        boolean fresh,
        boolean shared) {
    static final Figure RATE = Figure.more("tasks_per_s", "tasks/s");
    static final Figure PER_CPU_SECOND = Figure.more("tasks_per_cpu_s", "tasks per own CPU second");
    static final Effort THROUGHPUT = Effort.millis(800, 1_000, 300).atMost(200);
    static final Effort LATENCY = Effort.millis(1_000, 2_000, 800).atMost(200);

    /** A pass: tells the stage's recorder what it found, and returns when every task has run. */
    interface Pass {
        void run(Stage stage) throws InterruptedException;
    }

    /** Makes a load for which the limit has as many threads as the processors can run at a time. */
    Load(int threads, int outstanding, List<Figure> figures, Pass pass) {
        this(
                threads,
                outstanding,
                figures,
                pass,
                THROUGHPUT,
                Math.min(threads, Runtime.getRuntime().availableProcessors()),
                false,
                false);
    }

    /** Makes such a load whose only figure is its rate. */
    Load(int threads, int outstanding, Pass pass) {
        this(threads, outstanding, List.of(RATE), pass);
    }

    Load withEffort(Effort other) {
        return new Load(threads, outstanding, figures, pass, other, limitThreads, fresh, shared);
    }

    Load withLimit(int count) {
        return new Load(threads, outstanding, figures, pass, effort, count, fresh, shared);
    }

    Load onFreshExecutors() {
        return new Load(threads, outstanding, figures, pass, effort, limitThreads, true, shared);
    }

    Load onSharedPool() {
        return new Load(threads, outstanding, figures, pass, effort, limitThreads, fresh, true);
    }
}
