// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * All workers have started and have nothing to do: what does waiting cost?
 */
public record Idle(int threads, int seconds) implements Workload {
    private static final int LEAST_MILLIS = 50;
    private static final int START_SECONDS = 2;
    private static final int SETTLING_MILLIS = 500;

    @Override
    public int outstanding() {
        return threads;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figures.IDLE_CPU, Figures.IDLE_SWITCHES);
    }

    @Override
    public boolean hasLimit() {
        return false;
    }

    @Override
    public Effort effort() {
        return Workload.effort(0, 1, seconds * 1_000L);
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        startAll(stage, stage.executor());
        Interruptions.sleepMillis(stage.scaled(SETTLING_MILLIS, LEAST_MILLIS));
        Recorder recorder = stage.recorder();
        recorder.begin();
        double switchesBefore = recorder.contenderSwitches();
        long cpuBefore = recorder.contenderCpuNanos();
        Interruptions.sleepMillis(stage.scaled(seconds * 1_000, LEAST_MILLIS));
        double cpuMillis = (recorder.contenderCpuNanos() - cpuBefore) / 1e6;
        double switches = recorder.contenderSwitches() - switchesBefore;
        double wall = recorder.end(0) / 1e9;
        recorder.value(Figures.IDLE_CPU, cpuMillis / wall * 60);
        recorder.value(Figures.IDLE_SWITCHES, switches / wall);
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
                Interruptions.ignoring(released::await);
                tally.ran(index);
            });
        }
        started.await(START_SECONDS, TimeUnit.SECONDS);
        released.countDown();
        tally.await(1);
    }
}
