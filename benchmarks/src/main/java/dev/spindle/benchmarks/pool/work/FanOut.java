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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Work that is submitted inside the pool: a task hands over a hundred others, and the last of them starts the next
 * round.
 *
 * @param families how many such tasks there are at a time
 * @param watched whether to find how long tasks waited, which costs too much to ask for the rate beside it
 */
public record FanOut(int threads, int families, int width, double micros, boolean watched) implements Workload {
    private static final int ROUNDS = 250;
    private static final int LEAST = 2;

    @Override
    public int outstanding() {
        return families * (width + 1);
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
        int rounds = stage.scaled(ROUNDS, LEAST);
        new Inside(stage, families * rounds * width, micros).measure(watched, (executor, burn, tally) -> {
            for (int family = 0; family < families; family++) {
                executor.execute(new Family(executor, burn, tally, family * rounds * width, rounds, width));
            }
        });
    }

    private static final class Family implements Runnable {
        private final Executor executor;
        private final Runnable burn;
        private final Tally tally;
        private final int first;
        private final int rounds;
        private final int width;
        private final AtomicInteger left = new AtomicInteger();
        private int round;

        Family(Executor executor, Runnable burn, Tally tally, int first, int rounds, int width) {
            this.executor = executor;
            this.burn = burn;
            this.tally = tally;
            this.first = first;
            this.rounds = rounds;
            this.width = width;
        }

        @Override
        public void run() {
            left.set(width);
            int base = first + round++ * width;
            boolean last = round == rounds;
            for (int i = 0; i < width; i++) {
                int index = base + i;
                executor.execute(() -> child(index, last));
            }
        }

        private void child(int index, boolean last) {
            burn.run();
            if (left.decrementAndGet() == 0 && !last) {
                executor.execute(this);
            }
            tally.ran(index);
        }
    }
}
