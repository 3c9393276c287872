// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.forks.LatencyHistogram;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Every 5 ms a number of tasks of 1 us arrive at once at an executor that has gone idle; how long until the last of
 * them has run?
 */
public record Bursts(int threads, int size) implements Workload {
    private static final long PERIOD_NANOS = 5_000_000;
    private static final double MICROS = 1;
    private static final int BURSTS = 100;
    private static final int LEAST = 5;

    @Override
    public int outstanding() {
        return size;
    }

    @Override
    public List<Figure> figures() {
        return List.of(
                Figures.MAKESPAN.median(),
                Figures.MAKESPAN.tail(),
                Figures.BURST_SUBMIT,
                Figures.BURST_SWITCHES,
                Figures.WAKE_UPS);
    }

    @Override
    public boolean hasLimit() {
        return false;
    }

    @Override
    public Effort effort() {
        return Workload.LATENCY;
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int bursts = stage.scaled(BURSTS, LEAST);
        Tally tally = stage.tally(bursts * size);
        Recorder recorder = stage.recorder();
        LatencyHistogram makespans = recorder.latency(Figures.MAKESPAN);
        LatencyHistogram submits = new LatencyHistogram();
        Runnable burn = stage.burn(MICROS);
        ExecutorService executor = stage.executor();
        double switchesBefore = recorder.contenderSwitches();
        long wakeUpsBefore = wakeUps(executor);
        recorder.begin();
        long due = System.nanoTime();
        for (int burst = 0; burst < bursts; burst++) {
            AtomicInteger left = new AtomicInteger(size);
            long start = System.nanoTime();
            IntFunction<Runnable> task = tally.tasks(() -> {
                burn.run();
                if (left.decrementAndGet() == 0) {
                    makespans.record(System.nanoTime() - start);
                }
            });
            for (int i = 0; i < size; i++) {
                executor.execute(task.apply(burst * size + i));
            }
            submits.record(System.nanoTime() - start);
            due = Math.max(due + PERIOD_NANOS, System.nanoTime());
            for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
                LockSupport.parkNanos(due - now);
            }
            tally.awaitDone((burst + 1) * size, MICROS);
        }
        recorder.end((long) bursts * size);
        recorder.value(Figures.BURST_SUBMIT, submits.percentile(0.5) / 1_000);
        recorder.value(Figures.BURST_SWITCHES, (recorder.contenderSwitches() - switchesBefore) / bursts);
        if (executor instanceof Spindle) {
            recorder.value(Figures.WAKE_UPS, (double) (wakeUps(executor) - wakeUpsBefore) / bursts);
        }
    }

    private static long wakeUps(ExecutorService executor) {
        return executor instanceof Spindle spindle ? spindle.stats().wakeUps() : 0;
    }
}
