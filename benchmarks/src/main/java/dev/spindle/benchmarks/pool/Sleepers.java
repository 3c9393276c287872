// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Every worker blocks: tasks that sleep, ten for each thread, at an executor that has run nothing yet, and then the same
 * again.
 */
record Sleepers(int threads, int tasks, int millis) implements Workload {
    @Override
    public int outstanding() {
        return tasks;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figure.FIRST_ROUND, Figure.SECOND_ROUND);
    }

    @Override
    public int limitThreads(int processors) {
        return threads;
    }

    @Override
    public boolean freshExecutor() {
        return true;
    }

    @Override
    public Effort effort() {
        return new Effort(Duration.ofMillis(300), Duration.ofMillis(1_000), Duration.ofMillis(250));
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        round(stage, Figure.FIRST_ROUND);
        round(stage, Figure.SECOND_ROUND);
    }

    private void round(Stage stage, Figure figure) throws InterruptedException {
        int count = stage.scaled(tasks, threads);
        Tally tally = stage.tally(count);
        IntFunction<Runnable> task = tally.tasks(() -> Pauses.sleepMillis(millis));
        stage.recorder().begin();
        if (stage.limit()) {
            stage.plain().run(count, index -> task.apply(index).run());
        } else {
            for (int index = 0; index < count; index++) {
                stage.executor().execute(task.apply(index));
            }
            tally.await(0); // short naps: the rounds differ by milliseconds
        }
        stage.recorder().value(figure, stage.recorder().end(count) / 1e6);
    }
}
