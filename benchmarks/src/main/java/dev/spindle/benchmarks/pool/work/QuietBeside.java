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
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Executors on one pool that have little to do, first alone, then while another of them is flooded: how much later do
 * their tasks start?
 *
 * @param executors how many there are, the flooded one included
 * @param limit how many tasks of an executor may run at once
 * @param perSecond how many tasks the quiet ones get together
 */
public record QuietBeside(int threads, int executors, int limit, int perSecond) implements Workload {
    private static final double MICROS = 1;
    private static final int FLOOD = 1_000;
    private static final int LEAST = 60;

    @Override
    public int outstanding() {
        return FLOOD + perSecond;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figures.QUIET_BESIDE, Figures.QUIET_ALONE, Figures.QUIET_RATIO);
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public boolean hasLimit() {
        return false;
    }

    @Override
    public Effort effort() {
        return Workload.effort(1_000, 4_000, 2_000);
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        Arrangement arrangement = new Arrangement(stage.contender(), stage.executor(), executors, limit, 0);
        Recorder recorder = stage.recorder();
        double alone = paced(stage, arrangement);
        double beside;
        try (Flooding flooding = new Flooding(arrangement.executor(0), stage.burn(MICROS))) {
            flooding.start();
            beside = paced(stage, arrangement);
        }
        recorder.value(Figures.QUIET_ALONE, alone / 1_000);
        recorder.value(Figures.QUIET_BESIDE, beside / 1_000);
        recorder.value(Figures.QUIET_RATIO, beside / alone);
    }

    /** The 99th percentile of the quiet ones' delays, in nanoseconds. */
    private double paced(Stage stage, Arrangement arrangement) {
        int count = stage.scaled(perSecond, LEAST);
        Tally tally = stage.tally(count);
        Runnable burn = stage.burn(MICROS);
        LatencyHistogram delays = new LatencyHistogram();
        long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        stage.recorder().begin();
        long start = System.nanoTime();
        for (int index = 0; index < count; index++) {
            for (long left = 1; left > 0; left = start + index * interval - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            int own = index;
            long submitted = System.nanoTime();
            arrangement.executor(1 + index % (executors - 1)).execute(() -> {
                delays.record(System.nanoTime() - submitted);
                burn.run();
                tally.ran(own);
            });
        }
        tally.await(MICROS);
        stage.recorder().end(count);
        return delays.percentile(0.99);
    }

    /** A producer that keeps an executor full of work until it is closed. */
    private static final class Flooding implements AutoCloseable {
        private final Semaphore places = new Semaphore(FLOOD);
        private final Thread producer;
        private volatile boolean closed;

        Flooding(Executor executor, Runnable burn) {
            Runnable task = () -> {
                burn.run();
                places.release();
            };
            producer = new Thread(
                    () -> Interruptions.ignoring(() -> {
                        while (!closed) {
                            places.acquire();
                            executor.execute(task);
                        }
                    }),
                    "flood");
            producer.setDaemon(true);
        }

        void start() {
            producer.start();
        }

        @Override
        public void close() {
            closed = true;
            Interruptions.ignoring(producer::join);
            Interruptions.ignoring(() -> places.acquire(FLOOD));
        }
    }
}
