// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Every worker blocks: tasks that wait, ten for each thread, at an executor that has run nothing yet, and then the same
 * again.
 *
 * @param sockets whether they wait in a blocking read, where a thread counts as running, instead of a sleep
 */
public record Waiters(int threads, int tasks, int millis, boolean sockets) implements Workload {
    @Override
    public int outstanding() {
        return tasks;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figures.FIRST_ROUND, Figures.SECOND_ROUND);
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
        return Workload.effort(300, 1_000, 250);
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int count = stage.scaled(tasks, threads);
        if (!sockets) {
            Runnable wait = () -> Interruptions.sleepMillis(millis);
            round(stage, Figures.FIRST_ROUND, count, wait);
            round(stage, Figures.SECOND_ROUND, count, wait);
            return;
        }
        try (LateServer server = new LateServer(count, millis)) {
            round(stage, Figures.FIRST_ROUND, count, server::call);
            round(stage, Figures.SECOND_ROUND, count, server::call);
        }
    }

    private static void round(Stage stage, Figure figure, int count, Runnable wait) throws InterruptedException {
        Tally tally = stage.tally(count);
        IntFunction<Runnable> task = tally.tasks(wait);
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
