// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import java.util.List;

/**
 * The work that a cell gives to an executor.
 *
 * @param outstanding the maximum number of submitted tasks that have not ended, for executors with a bounded queue
 * @param limitThreads the number of threads of the limit, which runs the same work without an executor; 0 for no limit
 * @param fresh true if each pass runs on a new executor
 * @param shared true if many executors and keys share the pool
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
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    static final Figure RATE = Figure.more("tasks_per_s", "tasks/s");
    static final Figure PER_CPU_SECOND = Figure.more("tasks_per_cpu_s", "tasks per own CPU second");
    static final Effort THROUGHPUT = Effort.millis(800, 1_000, 300).atMost(200);
    static final Effort LATENCY = Effort.millis(1_000, 2_000, 800).atMost(200);

    /** Runs a pass and records its figures; returns after all tasks have run. */
    interface Pass {
        void run(Stage stage) throws InterruptedException;
    }

    /** Creates a load whose limit has {@code threads} threads, but at most one per processor. */
    Load(int threads, int outstanding, List<Figure> figures, Pass pass) {
        this(threads, outstanding, figures, pass, THROUGHPUT, Math.min(threads, PROCESSORS), false, false);
    }

    /**
     * Creates a load whose only figure is the rate; the limit has {@code threads} threads, but at most one per
     * processor.
     */
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
