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

/** Empty tasks that are submitted inside the pool: a binary tree, in which each hands over two others. */
public record Tree(int threads, int tasks) implements Workload {
    private static final int LEAST = 1_000;

    @Override
    public int outstanding() {
        return tasks;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figures.RATE);
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int count = stage.scaled(tasks, LEAST);
        new Inside(stage, count, 0)
                .rate((executor, burn, tally) -> executor.execute(new Node(executor, tally, 0, count)));
    }

    /** Its children have the numbers that they have in a heap. */
    private record Node(Executor executor, Tally tally, int number, int count) implements Runnable {
        @Override
        public void run() {
            for (int child = 2 * number + 1; child <= 2 * number + 2 && child < count; child++) {
                executor.execute(new Node(executor, tally, child, count));
            }
            tally.ran(number);
        }
    }
}
