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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * All workers have started and have nothing to do: what does waiting cost?
 *
 * @param pools how many executors there are, each with so many threads
 */
public record Idle(int threads, int pools, int seconds) implements Workload {
    private static final int LEAST_MILLIS = 50;
    private static final int START_SECONDS = 2;
    private static final int SETTLING_MILLIS = 500;

    @Override
    public int outstanding() {
        return threads;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figure.IDLE_CPU, Figure.IDLE_SWITCHES);
    }

    @Override
    public boolean hasLimit() {
        return false;
    }

    @Override
    public Effort effort() {
        return new Effort(Duration.ZERO, Duration.ofMillis(1), Duration.ofSeconds(seconds));
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        startAll(stage, stage.executor());
        for (int pool = 1; pool < pools; pool++) {
            startAll(stage, stage.another());
        }
        Pauses.sleepMillis(stage.scaled(SETTLING_MILLIS, LEAST_MILLIS));
        Recorder recorder = stage.recorder();
        recorder.begin();
        double switchesBefore = recorder.contenderSwitches();
        long cpuBefore = recorder.contenderCpuNanos();
        Pauses.sleepMillis(stage.scaled(seconds * 1_000, LEAST_MILLIS));
        double cpuMillis = (recorder.contenderCpuNanos() - cpuBefore) / 1e6;
        double switches = recorder.contenderSwitches() - switchesBefore;
        double wall = recorder.end(0) / 1e9;
        recorder.value(Figure.IDLE_CPU, cpuMillis / wall * 60);
        recorder.value(Figure.IDLE_SWITCHES, switches / wall);
    }

    /** Keeps each worker busy until all are there, or it is clear that no more will come. */
    private void startAll(Stage stage, ExecutorService executor) throws InterruptedException {
        Tally tally = stage.tally(threads);
        CountDownLatch started = new CountDownLatch(threads);
        CountDownLatch released = new CountDownLatch(1);
        for (int i = 0; i < threads; i++) {
            int index = i;
            executor.execute(() -> {
                started.countDown();
                Pauses.await(released);
                tally.ran(index);
            });
        }
        started.await(START_SECONDS, TimeUnit.SECONDS);
        released.countDown();
        tally.await(1);
    }
}
