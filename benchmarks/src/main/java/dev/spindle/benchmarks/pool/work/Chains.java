// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Work that is submitted inside the pool: chains, each a task that hands itself over again when it has done its work.
 *
 * @param chains how many there are at a time
 * @param watched whether to find how long tasks waited, which costs too much to ask for the rate beside it
 */
public record Chains(int threads, int chains, double micros, boolean watched) implements Workload {
    private static final int STEPS = 4_000;
    private static final int LEAST = 10;

    @Override
    public int outstanding() {
        return chains;
    }

    @Override
    public List<Figure> figures() {
        return watched ? QueueWatch.FIGURES : List.of(Figures.RATE);
    }

    @Override
    public boolean hasLimit() {
        return !watched;
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int steps = stage.scaled(STEPS, LEAST);
        new Inside(stage, chains * steps, micros).measure(watched, (executor, burn, tally) -> {
            for (int chain = 0; chain < chains; chain++) {
                executor.execute(new Chain(executor, burn, tally, chain * steps, steps));
            }
        });
    }

    /** The steps are counted in a plain field: an executor that loses visibility between two of them shows it. */
    private static final class Chain implements Runnable {
        private final Executor executor;
        private final Runnable burn;
        private final Tally tally;
        private final int first;
        private final int steps;
        private int step;

        Chain(Executor executor, Runnable burn, Tally tally, int first, int steps) {
            this.executor = executor;
            this.burn = burn;
            this.tally = tally;
            this.first = first;
            this.steps = steps;
        }

        @Override
        public void run() {
            burn.run();
            int ran = step++;
            if (ran + 1 < steps) {
                executor.execute(this);
            }
            tally.ran(first + ran);
        }
    }
}
