// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.forks.LatencyHistogram;
import dev.spindle.benchmarks.pool.stage.Figures;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Tally;
import dev.spindle.benchmarks.pool.stage.Workload;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * Producers hand over equal tasks as fast as they can, and pause only when too many are outstanding.
 *
 * @param producers how many; the first is the calling thread
 * @param tasks how many in a pass
 * @param outstanding the most that are handed over and have not run
 * @param sampled whether every 17th submit is timed
 */
public record Flood(int threads, int producers, double micros, int tasks, int outstanding, boolean sampled)
        implements Workload {
    private static final int SAMPLE = 17; // in step with nothing that an executor does every 16 or 1,024 tasks
    private static final int LEAST = 200;
    private static final int CLOCK_READINGS = 10_000;

    @Override
    public List<Figure> figures() {
        return sampled ? List.of(Figures.RATE, Figures.SUBMIT.median(), Figures.SUBMIT.tail()) : List.of(Figures.RATE);
    }

    @Override
    public void pass(Stage stage) throws InterruptedException {
        int count = stage.scaled(tasks, LEAST);
        Tally tally = stage.tally(count);
        IntFunction<Runnable> task = tally.tasks(stage.burn(micros));
        Recorder recorder = stage.recorder();
        recorder.begin();
        if (stage.limit()) {
            stage.plain().run(count, index -> task.apply(index).run());
        } else {
            if (sampled) {
                submitSampled(stage.executor(), task, count, recorder.latency(Figures.SUBMIT));
            } else {
                produce(own -> submit(stage.executor(), task, start(count, own), start(count, own + 1), tally));
            }
            tally.await(micros);
        }
        recorder.value(Figures.RATE, count * 1e9 / recorder.end(count));
    }

    /** Each producer does its share, that with number 0 on the calling thread; returns when all have. */
    private void produce(IntConsumer share) {
        Thread[] others = new Thread[producers - 1];
        for (int i = 0; i < others.length; i++) {
            int own = i + 1;
            others[i] = new Thread(() -> share.accept(own), "producer-" + own);
            others[i].setDaemon(true);
            others[i].start();
        }
        share.accept(0);
        for (Thread other : others) {
            Interruptions.ignoring(other::join);
        }
    }

    /** Where the share of a producer begins. */
    private int start(int count, int own) {
        return (int) ((long) count * own / producers);
    }

    /** Each producer has its share of the places, and takes it that the others are as far as it is. */
    private void submit(ExecutorService executor, IntFunction<Runnable> task, int from, int to, Tally tally) {
        int credit = outstanding / producers;
        for (int index = from; index < to; index++) {
            if (credit == 0) {
                // A quarter must be free before it goes on: to look after every task would slow the workers down.
                int handedOver = (index - from) * producers;
                tally.awaitDone(handedOver - outstanding * 3 / 4, micros);
                credit = Math.max(1, (outstanding - (handedOver - tally.done())) / producers);
            }
            credit--;
            executor.execute(task.apply(index));
        }
    }

    private static void submitSampled(
            ExecutorService executor, IntFunction<Runnable> task, int count, LatencyHistogram submits) {
        long clock = clockNanos();
        for (int index = 0; index < count; index++) {
            Runnable next = task.apply(index);
            if (index % SAMPLE == 0) {
                long start = System.nanoTime();
                executor.execute(next);
                submits.record(System.nanoTime() - start - clock);
            } else {
                executor.execute(next);
            }
        }
    }

    /** What a reading of the clock adds to a time. */
    private static long clockNanos() {
        LatencyHistogram clock = new LatencyHistogram();
        for (int i = 0; i < CLOCK_READINGS; i++) {
            long start = System.nanoTime();
            clock.record(System.nanoTime() - start);
        }
        return (long) clock.percentile(0.5);
    }
}
