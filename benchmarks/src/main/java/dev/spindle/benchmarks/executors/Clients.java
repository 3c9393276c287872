// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.executors;

import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Recorder.LatencyHistogram;
import dev.spindle.benchmarks.compare.ThreadCosts;
import dev.spindle.benchmarks.compare.Waits;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Loads of few tasks, in which the executor is idle most of the time. */
final class Clients {
    static final Figure.Times ROUND_TRIP = Figure.Times.micros("round_trip", "round trip");
    static final Figure.Times DELAY = Figure.Times.micros("delay", "start delay");
    static final Figure.Times MAKESPAN = Figure.Times.micros("makespan", "makespan");
    static final Figure CPU_PERCENT = Figure.less("cpu_percent", "CPU, % of a core");
    /** Only Spindle counts its wake-ups. */
    static final Figure WAKE_UPS = Figure.less("wake_ups_per_burst", "wake-ups per burst");

    static final Figure IDLE_CPU = Figure.less("idle_cpu_ms_per_min", "CPU ms of its threads per idle minute");
    static final Figure IDLE_SWITCHES = Figure.less("idle_switches_per_s", "their switches per idle second");

    private static final int HAND_OFF_MICROS = 400_000;
    private static final int TRIP_MICROS = 20; // the client and the worker both park
    private static final long SLEEP_MILLIS = 5;
    private static final long BURST_PERIOD_NANOS = 5_000_000;
    private static final int BURSTS = 100;
    private static final int LEAST_MILLIS = 50;
    private static final int LEAST_TASKS = 60;
    private static final int START_SECONDS = 2;
    private static final int SETTLING_MILLIS = 500;

    private Clients() {}

    /** One client repeatedly submits an empty task, waits for its end, and then computes. */
    static Load handOff(int threads, int gapMicros) {
        return new Load(threads, 1, List.of(ROUND_TRIP.median(), ROUND_TRIP.tail()), stage -> {
                    int trips = stage.scaled(HAND_OFF_MICROS / (gapMicros + TRIP_MICROS), 20);
                    Tally tally = stage.tally(trips);
                    LatencyHistogram roundTrips = stage.recorder().latency(ROUND_TRIP);
                    Runnable gap = gapMicros == 0 ? () -> {} : Burn.task(gapMicros);
                    stage.recorder().begin();
                    for (int trip = 0; trip < trips; trip++) {
                        int index = trip;
                        gap.run();
                        long start = System.nanoTime();
                        await(stage.executor(), () -> tally.ran(index));
                        roundTrips.record(System.nanoTime() - start);
                    }
                    stage.recorder().end(trips);
                })
                .withLimit(0)
                .withEffort(Load.LATENCY);
    }

    private static void await(ExecutorService executor, Runnable task) throws InterruptedException {
        try {
            executor.submit(task).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a task that cannot fail failed", e);
        }
    }

    /**
     * Submits tasks at a fixed rate that does not depend on the executor. The limit runs the tasks on the submitting
     * thread.
     *
     * @param sleepEvery the n such that each n-th task sleeps, and its delay is not recorded; 0 for none
     */
    static Load openLoop(int threads, int perSecond, double micros, int sleepEvery) {
        List<Figure> figures = List.of(DELAY.median(), DELAY.tail(), CPU_PERCENT);
        return new Load(threads, Math.max(1_024, perSecond), figures, stage -> {
                    Recorder recorder = stage.recorder();
                    LatencyHistogram delays = recorder.latency(DELAY);
                    paced(stage, perSecond, micros, sleepEvery, delays, index -> stage.executorOrCaller());
                    recorder.value(CPU_PERCENT, 100 * recorder.cpuNanos() / recorder.wallNanos());
                })
                .withLimit(sleepEvery == 0 ? 1 : 0)
                .withEffort(Effort.millis(1_000, 3_000, 1_000).atMost(200));
    }

    /** Submits the tasks of one second at a fixed rate, and measures their start delays. */
    static void paced(
            Stage stage,
            int perSecond,
            double micros,
            int sleepEvery,
            LatencyHistogram delays,
            IntFunction<Executor> executors) {
        int count = stage.scaled(perSecond, LEAST_TASKS);
        Tally tally = stage.tally(count);
        Runnable burn = Burn.task(micros);
        long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        stage.recorder().begin();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            int index = i;
            Waits.until(start + index * interval);
            long submitted = System.nanoTime();
            boolean sleeps = sleepEvery > 0 && index % sleepEvery == 0;
            executors.apply(index).execute(() -> {
                if (sleeps) {
                    Waits.sleepMillis(SLEEP_MILLIS);
                } else {
                    delays.record(System.nanoTime() - submitted);
                    burn.run();
                }
                tally.ran(index);
            });
        }
        tally.await(micros);
        stage.recorder().end(count);
    }

    /** Submits a burst of tasks of 1 us every 5 ms. The makespan is the time until the last task of a burst has run. */
    static Load bursts(int threads, int size) {
        List<Figure> figures = List.of(MAKESPAN.median(), MAKESPAN.tail(), WAKE_UPS);
        return new Load(threads, size, figures, stage -> {
                    int bursts = stage.scaled(BURSTS, 5);
                    Tally tally = stage.tally(bursts * size);
                    ExecutorService executor = stage.executor();
                    LatencyHistogram makespans = stage.recorder().latency(MAKESPAN);
                    Runnable burn = Burn.task(1);
                    long wakeUpsBefore = wakeUps(executor);
                    stage.recorder().begin();
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
                        due = Math.max(due + BURST_PERIOD_NANOS, System.nanoTime());
                        Waits.until(due);
                        tally.awaitDone((burst + 1) * size, 1);
                    }
                    stage.recorder().end((long) bursts * size);
                    if (executor instanceof Spindle) {
                        double wakeUps = wakeUps(executor) - wakeUpsBefore;
                        stage.recorder().value(WAKE_UPS, wakeUps / bursts);
                    }
                })
                .withLimit(0)
                .withEffort(Load.LATENCY);
    }

    private static long wakeUps(ExecutorService executor) {
        return executor instanceof Spindle spindle ? spindle.stats().wakeUps() : 0;
    }

    /** Measures a pool whose threads have all started and are idle. */
    static Load idle(int threads, int seconds) {
        return new Load(threads, threads, List.of(IDLE_CPU, IDLE_SWITCHES), stage -> {
                    startAll(stage, threads);
                    Waits.sleepMillis(stage.scaled(SETTLING_MILLIS, LEAST_MILLIS));
                    Recorder recorder = stage.recorder();
                    recorder.begin();
                    ThreadCosts earlier = ThreadCosts.before();
                    Waits.sleepMillis(stage.scaled(seconds * 1_000, LEAST_MILLIS));
                    ThreadCosts.Cost costs = recorder.contenderSince(earlier);
                    double wall = recorder.end(0) / 1e9;
                    recorder.value(IDLE_CPU, costs.cpuNanos() / 1e6 / wall * 60);
                    recorder.value(IDLE_SWITCHES, costs.voluntary() / wall);
                })
                .withLimit(0)
                .withEffort(Effort.millis(0, 1, seconds * 1_000L));
    }

    /** Occupies each worker until all have started, or for two seconds at most. */
    private static void startAll(Stage stage, int threads) throws InterruptedException {
        Tally tally = stage.tally(threads);
        CountDownLatch started = new CountDownLatch(threads);
        CountDownLatch released = new CountDownLatch(1);
        for (int i = 0; i < threads; i++) {
            int index = i;
            stage.executor().execute(() -> {
                started.countDown();
                Waits.ignoring(released::await);
                tally.ran(index);
            });
        }
        started.await(START_SECONDS, TimeUnit.SECONDS);
        released.countDown();
        tally.await(1);
    }
}
