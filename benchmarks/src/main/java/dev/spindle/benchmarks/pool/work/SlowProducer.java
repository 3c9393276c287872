// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.LatencyHistogram;
import dev.spindle.benchmarks.pool.stage.Recorder;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;

/**
 * One producer that computes for 5 to 50 us between two tasks of 1 us: where an executor has to choose between waking a
 * thread for each and letting one spin.
 */
public record SlowProducer(int threads) implements Workload {
    private static final double MICROS = 1;
    private static final int TASKS = 15_000;
    private static final int LEAST = 50;
    private static final int STEP_MICROS = 5;
    private static final int MOST_STEPS = 10;
    /** Goes through all remainders. */
    private static final int STRIDE = 7;

    @Override
    public int outstanding() {
        return TASKS;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figure.DELAY_P50, Figure.DELAY_P99, Figure.CPU_PERCENT);
    }

    @Override
    public int limitThreads(int processors) {
        return 1;
    }

    @Override
    public Effort effort() {
        return Effort.LATENCY;
    }

    @Override
    public void pass(Stage stage) {
        int count = stage.scaled(TASKS, LEAST);
        Tally tally = stage.tally(count);
        Runnable burn = stage.burn(MICROS);
        Runnable[] gaps = new Runnable[MOST_STEPS];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = stage.burn(STEP_MICROS * (i + 1.0));
        }
        Recorder recorder = stage.recorder();
        LatencyHistogram delays = recorder.latency(Recorder.Latency.DELAY);
        double cpuBefore = recorder.cpuMillis();
        recorder.begin();
        for (int index = 0; index < count; index++) {
            gaps[index * STRIDE % MOST_STEPS].run();
            Runnable task = task(index, tally, burn, delays);
            if (stage.limit()) {
                task.run();
            } else {
                stage.executor().execute(task);
            }
        }
        tally.await(MICROS);
        double millis = recorder.end(count) / 1e6;
        recorder.value(Figure.CPU_PERCENT, 100 * (recorder.cpuMillis() - cpuBefore) / millis);
    }

    private static Runnable task(int index, Tally tally, Runnable burn, LatencyHistogram delays) {
        long submitted = System.nanoTime();
        return () -> {
            delays.record(System.nanoTime() - submitted);
            burn.run();
            tally.ran(index);
        };
    }
}
