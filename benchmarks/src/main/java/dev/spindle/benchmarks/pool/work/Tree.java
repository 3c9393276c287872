// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Work that is submitted inside the pool: a task hands over two others, and so on down a binary tree. The queue grows to
 * half the tree where the oldest go first.
 */
public record Tree(int threads, int depth, double micros) implements Workload {
    private static final int LEAST = 50;

    @Override
    public int outstanding() {
        return 1 << depth;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figure.RATE);
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int count = stage.scaled((1 << depth) - 1, LEAST);
        new Inside(stage, count, micros)
                .rate((executor, burn, tally) -> new Grower(executor, burn, tally, count).plant(0));
    }

    /** Nodes are numbered as in a heap: those of node n are 2n + 1 and 2n + 2. */
    private record Grower(Executor executor, Runnable burn, Tally tally, int count) {
        void plant(int node) {
            if (node < count) {
                executor.execute(() -> {
                    plant(2 * node + 1);
                    plant(2 * node + 2);
                    burn.run();
                    tally.ran(node);
                });
            }
        }
    }
}
