// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.forks.LatencyHistogram;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tasks arrive at a fixed rate, whether the executor keeps up or not; how late do they start?
 *
 * @param perSecond how many arrive
 * @param micros how long they work
 * @param sleepEvery every which of them sleeps instead; 0 for none. Those that sleep have no delay.
 */
public record OpenLoop(int threads, int perSecond, double micros, int sleepEvery) implements Workload {
    private static final long SLEEP_MILLIS = 5;
    private static final int LEAST = 50;

    @Override
    public int outstanding() {
        return Math.max(1_024, perSecond);
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figures.DELAY.median(), Figures.DELAY.tail(), Figures.CPU_PERCENT);
    }

    /** The producer does the work itself: what keeping time costs. */
    @Override
    public boolean hasLimit() {
        return sleepEvery == 0;
    }

    @Override
    public int limitThreads(int processors) {
        return 1;
    }

    @Override
    public Effort effort() {
        return Workload.effort(1_000, 3_000, 1_000);
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int count = stage.scaled(perSecond, LEAST);
        Tally tally = stage.tally(count);
        Runnable burn = stage.burn(micros);
        Recorder recorder = stage.recorder();
        LatencyHistogram delays = recorder.latency(Figures.DELAY);
        long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        recorder.begin();
        long start = System.nanoTime();
        for (int index = 0; index < count; index++) {
            waitUntil(start + index * interval);
            Runnable task = task(index, tally, burn, delays);
            if (stage.limit()) {
                task.run();
            } else {
                stage.executor().execute(task);
            }
        }
        tally.await(micros);
        recorder.end(count);
        recorder.value(Figures.CPU_PERCENT, 100 * recorder.cpuNanos() / recorder.wallNanos());
    }

    private Runnable task(int index, Tally tally, Runnable burn, LatencyHistogram delays) {
        if (sleepEvery > 0 && index % sleepEvery == 0) {
            return () -> {
                Interruptions.sleepMillis(SLEEP_MILLIS);
                tally.ran(index);
            };
        }
        long submitted = System.nanoTime();
        return () -> {
            delays.record(System.nanoTime() - submitted);
            burn.run();
            tally.ran(index);
        };
    }

    private static void waitUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
