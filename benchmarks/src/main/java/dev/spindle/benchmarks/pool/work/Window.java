// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * One producer keeps a fixed number of tasks outstanding, through a semaphore; some of the tasks sleep after their
 * work.
 *
 * @param window how many tasks are outstanding
 * @param spinning whether the producer spins for a place, so that neither it nor the tasks' return of places wakes
 *     anybody
 */
public record Window(int threads, int window, double micros, Sleeps sleeps, boolean spinning) implements Workload {
    private static final double PASS_MICROS = 200_000;
    /** A hand-over is not cheaper than this in microseconds, however short the task. */
    private static final double LEAST_MICROS = 3;

    private static final int LEAST = 100;
    private static final int PATIENCE_SECONDS = 30;
    private static final int MOST = 100_000;

    /** Which tasks sleep. */
    public enum Sleeps {
        NEVER("no sleeps", 0, 0),
        RARELY("1 % sleep 100 us", 100, 100),
        OFTEN("10 % sleep 1 ms", 10, 1_000);

        private final String title;
        private final int every;
        private final int micros;

        Sleeps(String title, int every, int micros) {
            this.title = title;
            this.every = every;
            this.micros = micros;
        }

        public String title() {
            return title;
        }

        private boolean sleeps(int index) {
            return every > 0 && index % every == 0;
        }

        private double meanMicros() {
            return every == 0 ? 0 : (double) micros / every;
        }
    }

    @Override
    public int outstanding() {
        return window;
    }

    @Override
    public List<Figure> figures() {
        return List.of(Figures.RATE);
    }

    /** With sleeps as many as the executor could have at work, since a processor is not what they wait for. */
    @Override
    public int limitThreads(int processors) {
        return sleeps == Sleeps.NEVER ? Math.min(processors, threads) : Math.min(threads, window);
    }

    @Override
    public Effort effort() {
        return Workload.GRID;
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int count = stage.scaled(tasksPerPass(), LEAST);
        Tally tally = stage.tally(count);
        Semaphore gate = new Semaphore(window);
        Runnable burn = stage.burn(micros);
        IntFunction<Runnable> busy = tally.tasks(() -> {
            burn.run();
            gate.release();
        });
        long sleep = sleeps.micros * 1_000L;
        IntFunction<Runnable> sleepy = tally.tasks(() -> {
            burn.run();
            LockSupport.parkNanos(sleep);
            gate.release();
        });
        Recorder recorder = stage.recorder();
        recorder.begin();
        if (stage.limit()) {
            stage.plain().run(count, index -> task(index, busy, sleepy).run());
        } else {
            for (int index = 0; index < count; index++) {
                enter(gate, tally);
                stage.executor().execute(task(index, busy, sleepy));
            }
            tally.await(Math.max(LEAST_MICROS, micros));
        }
        recorder.value(Figures.RATE, count * 1e9 / recorder.end(count));
    }

    private void enter(Semaphore gate, Tally tally) throws InterruptedException {
        if (spinning) {
            long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!gate.tryAcquire()) {
                if (System.nanoTime() > patience) {
                    throw tally.stalled();
                }
                Thread.yield();
            }
        } else if (!gate.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw tally.stalled();
        }
    }

    private Runnable task(int index, IntFunction<Runnable> busy, IntFunction<Runnable> sleepy) {
        return sleeps.sleeps(index) ? sleepy.apply(index) : busy.apply(index);
    }

    /** What takes about a fifth of a second. */
    private int tasksPerPass() {
        int processors = Runtime.getRuntime().availableProcessors();
        double abreast = Math.min(threads, window);
        double perTask = Math.max(
                Math.max(LEAST_MICROS, micros / Math.min(abreast, processors)),
                (micros + sleeps.meanMicros()) / abreast);
        return (int) Math.min(MOST, PASS_MICROS / perTask);
    }
}
