// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder.LatencyHistogram;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/** Loads of many equal tasks that are submitted from outside the pool. */
public final class Floods {
    static final Figure.Times SUBMIT = Figure.Times.nanos("submit", "submit");

    private static final int SAMPLE = 17; // coprime to the batch sizes of executors
    private static final int LEAST = 200;
    private static final int CLOCK_READINGS = 10_000;
    private static final double WINDOW_PASS_MICROS = 200_000;
    /** The minimum time of a hand-over, in microseconds. */
    private static final double HAND_OVER_MICROS = 3;

    private static final int MOST_OF_A_WINDOW = 100_000;
    private static final int LIMIT_SECONDS = 30;

    private Floods() {}

    /**
     * Each producer submits its tasks as fast as possible, and pauses only while too many tasks are outstanding.
     *
     * @param producers the number of producers, including the calling thread
     */
    public static Load flood(int threads, int producers, double micros, int tasks, int outstanding) {
        return new Load(threads, outstanding, stage -> {
            Tally tally = stage.tally(stage.scaled(tasks, LEAST));
            stage.rate(
                    tally,
                    Burn.task(micros),
                    micros,
                    task -> produce(stage.executor(), task, tally, producers, outstanding, micros));
        });
    }

    /**
     * Submits the tasks. Each producer may use an equal part of the outstanding tasks, and assumes that all producers
     * have submitted equally many tasks.
     */
    private static void produce(
            Executor executor, IntFunction<Runnable> task, Tally tally, int producers, int outstanding, double micros)
            throws InterruptedException {
        int count = tally.expected();
        IntConsumer part = own -> {
            int from = (int) ((long) count * own / producers);
            int to = (int) ((long) count * (own + 1) / producers);
            int credit = outstanding / producers;
            for (int index = from; index < to; index++) {
                if (credit == 0) {
                    // Waits until a quarter of the outstanding tasks have ended. A check after every task would slow
                    // the workers down.
                    int handedOver = (index - from) * producers;
                    tally.awaitDone(handedOver - outstanding * 3 / 4, micros);
                    credit = Math.max(1, (outstanding - (handedOver - tally.done())) / producers);
                }
                credit--;
                executor.execute(task.apply(index));
            }
        };
        try (Producers others = new Producers(producers - 1)) {
            CountDownLatch left = new CountDownLatch(producers - 1);
            others.start(own -> {
                try {
                    part.accept(own + 1);
                } finally {
                    left.countDown();
                }
            });
            part.accept(0);
            left.await();
        }
    }

    /** One producer submits all tasks without a pause, and every 17th submission is timed. */
    static Load sampled(int threads, double micros, int tasks) {
        return new Load(threads, tasks, List.of(Load.RATE, SUBMIT.median(), SUBMIT.tail()), stage -> {
            Tally tally = stage.tally(stage.scaled(tasks, LEAST));
            LatencyHistogram submits = stage.recorder().latency(SUBMIT);
            stage.rate(tally, Burn.task(micros), micros, task -> {
                ExecutorService executor = stage.executor();
                long clock = clockNanos();
                for (int index = 0; index < tally.expected(); index++) {
                    Runnable next = task.apply(index);
                    if (index % SAMPLE == 0) {
                        long start = System.nanoTime();
                        executor.execute(next);
                        submits.record(System.nanoTime() - start - clock);
                    } else {
                        executor.execute(next);
                    }
                }
            });
        });
    }

    /** Returns the nanoseconds that reading the clock adds to a measured time. */
    private static long clockNanos() {
        LatencyHistogram clock = new LatencyHistogram();
        for (int i = 0; i < CLOCK_READINGS; i++) {
            long start = System.nanoTime();
            clock.record(System.nanoTime() - start);
        }
        return (long) clock.percentile(0.5);
    }

    /**
     * Specifies which tasks sleep after their work, and for how long.
     *
     * @param every the n such that each n-th task sleeps; 0 for none
     */
    record Sleeps(String title, int every, int micros) {
        static final Sleeps NEVER = new Sleeps("no sleeps", 0, 0);
        static final Sleeps RARELY = new Sleeps("1 % sleep 100 us", 100, 100);
        static final Sleeps OFTEN = new Sleeps("10 % sleep 1 ms", 10, 1_000);

        private double meanMicros() {
            return every == 0 ? 0 : (double) micros / every;
        }
    }

    /**
     * One producer keeps a fixed number of tasks outstanding, by means of a semaphore.
     *
     * @param spinning true if the producer spins for a permit, so that no task has to wake the producer
     */
    static Load window(int threads, int window, double micros, Sleeps sleeps, boolean spinning) {
        int tasks = tasksOfAWindow(threads, window, micros, sleeps);
        Load load = new Load(threads, window, stage -> {
            Tally tally = stage.tally(stage.scaled(tasks, LEAST / 2));
            Semaphore places = new Semaphore(window);
            Runnable burn = Burn.task(micros);
            IntFunction<Runnable> busy = tally.tasks(() -> {
                burn.run();
                places.release();
            });
            IntFunction<Runnable> sleepy = tally.tasks(() -> {
                burn.run();
                LockSupport.parkNanos(sleeps.micros * 1_000L);
                places.release();
            });
            IntFunction<Runnable> either =
                    index -> (sleeps.every > 0 && index % sleeps.every == 0 ? sleepy : busy).apply(index);
            stage.rate(tally, either, Math.max(HAND_OVER_MICROS, micros), task -> {
                for (int index = 0; index < tally.expected(); index++) {
                    acquire(places, spinning, tally);
                    stage.executor().execute(task.apply(index));
                }
            });
        });
        // Sleeping tasks use no processor, so the limit has one thread per task that can be in progress.
        return load.withEffort(Effort.millis(500, 600, 250).atMost(200))
                .withLimit(sleeps.every == 0 ? load.limitThreads() : Math.min(threads, window));
    }

    private static void acquire(Semaphore places, boolean spinning, Tally tally) throws InterruptedException {
        if (!spinning) {
            if (!places.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw tally.stalled();
            }
            return;
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!places.tryAcquire()) {
            if (System.nanoTime() > deadline) {
                throw tally.stalled();
            }
            Thread.yield();
        }
    }

    private static int tasksOfAWindow(int threads, int window, double micros, Sleeps sleeps) {
        double abreast = Math.min(threads, window);
        double processors = Math.min(abreast, Runtime.getRuntime().availableProcessors());
        double computing = Math.max(HAND_OVER_MICROS, micros / processors);
        double perTask = Math.max(computing, (micros + sleeps.meanMicros()) / abreast);
        return (int) Math.min(MOST_OF_A_WINDOW, WINDOW_PASS_MICROS / perTask);
    }
}
