// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import java.time.Duration;
import java.util.List;

/** What a cell asks of an executor. */
public interface Workload {
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

    /** How many tasks may wait before a submitter waits; 0 for no bound. */
    default int capacity() {
        return 0;
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
        return Effort.THROUGHPUT;
    }

    /** Runs once and tells the stage's recorder what it found. Returns when every task has run. */
    void pass(Stage stage) throws InterruptedException;

    /**
     * How long a fork works.
     *
     * @param warmUp passes that count for nothing are run for this long
     * @param timed passes are timed until they took this long together
     * @param pass about how long one takes
     */
    record Effort(Duration warmUp, Duration timed, Duration pass) {
        public static final Effort THROUGHPUT =
                new Effort(Duration.ofMillis(800), Duration.ofMillis(1_000), Duration.ofMillis(300));
        /** For cells that compile more code before they are at their speed. */
        public static final Effort LONG_WARM_UP =
                new Effort(Duration.ofMillis(2_500), THROUGHPUT.timed(), THROUGHPUT.pass());

        public static final Effort GRID =
                new Effort(Duration.ofMillis(500), Duration.ofMillis(600), Duration.ofMillis(250));
        public static final Effort LATENCY =
                new Effort(Duration.ofMillis(1_000), Duration.ofMillis(2_000), Duration.ofMillis(800));
    }
}
