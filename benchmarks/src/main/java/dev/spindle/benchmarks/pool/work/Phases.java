// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Pauses;
import dev.spindle.benchmarks.pool.stage.Recorder;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Computing, then blocking, then nothing, then computing again: does an executor that learned to block still compute as it
 * did?
 */
public record Phases(int threads) implements Workload {
    private static final double MICROS = 1;
    private static final int TASKS = 150_000;
    private static final int LEAST = 200;
    private static final int SLEEPS = 640;
    private static final int SLEEP_MILLIS = 10;
    private static final int IDLE_MILLIS = 300;
    private static final int LEAST_MILLIS = 20;

    @Override
    public int outstanding() {
        return TASKS;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figure.RATE, Figure.RECOVERY);
    }

    @Override
    public boolean hasLimit() {
        return false;
    }

    @Override
    public Effort effort() {
        return new Effort(Duration.ofMillis(800), Duration.ofMillis(2_000), Duration.ofMillis(900));
    }

    @Override
    public void pass(Stage stage) {
        double before = compute(stage);
        phase(stage, stage.scaled(SLEEPS, threads), () -> Pauses.sleepMillis(SLEEP_MILLIS), 0);
        Pauses.sleepMillis(stage.scaled(IDLE_MILLIS, LEAST_MILLIS));
        double after = compute(stage);
        stage.recorder().value(Figure.RATE, after);
        stage.recorder().value(Figure.RECOVERY, after / before);
    }

    private static double compute(Stage stage) {
        int count = stage.scaled(TASKS, LEAST);
        Recorder recorder = stage.recorder();
        recorder.begin();
        phase(stage, count, stage.burn(MICROS), MICROS);
        return count * 1e9 / recorder.end(count);
    }

    private static void phase(Stage stage, int count, Runnable body, double micros) {
        Tally tally = stage.tally(count);
        IntFunction<Runnable> task = tally.tasks(body);
        for (int index = 0; index < count; index++) {
            stage.executor().execute(task.apply(index));
        }
        tally.await(micros);
    }
}
