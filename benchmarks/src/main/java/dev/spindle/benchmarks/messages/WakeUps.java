// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Recorder.LatencyHistogram;
import dev.spindle.benchmarks.compare.StalledException;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.executors.SerialExecutors;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/**
 * Submits one task at a time after random gaps, so that many tasks are submitted when the executor is about to park.
 */
final class WakeUps implements Subject {
    private static final Figure LATEST = Figure.worst("latest_start_ms", "latest start, ms");
    private static final Figure.Times START = Figure.Times.micros("start", "start");

    static final List<Figure> FIGURES = List.of(LATEST, START.median(), START.tail());

    private static final int TASKS = 50_000;
    private static final int MOST_SPINS = 300;
    private static final long LIMIT_NANOS = 30_000_000_000L;
    private static final int LOOKS_BEFORE_YIELD = 1_000;

    private final SerialExecutors serial;
    private final int tasks;
    private final SplittableRandom gaps = new SplittableRandom(7);
    private int submitted;
    private int ran; // used only by the executor's tasks
    private long startedAt; // published by the write of answered
    private volatile int answered;

    WakeUps(SerialExecutors serial, Scale scale) {
        this.serial = serial;
        tasks = scale.of(TASKS, 1_000);
    }

    @Override
    public void pass(Recorder recorder) {
        Executor executor = serial.executors().get(0);
        LatencyHistogram delays = recorder.latency(START);
        Runnable task = this::start;
        long latest = 0;
        recorder.begin();
        for (int i = 0; i < tasks; i++) {
            for (int spins = gaps.nextInt(MOST_SPINS + 1); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            long before = System.nanoTime();
            executor.execute(task);
            awaitAnswer(++submitted, before);
            long delay = startedAt - before;
            delays.record(delay);
            latest = Math.max(latest, delay);
        }
        recorder.end(tasks);
        recorder.violations(Math.abs(answered - submitted));
        recorder.value(LATEST, latest / 1e6);
    }

    private void start() {
        startedAt = System.nanoTime();
        answered = ++ran;
    }

    private void awaitAnswer(int wanted, long since) {
        for (int looks = 1; answered < wanted; looks++) {
            Thread.onSpinWait();
            if (looks % LOOKS_BEFORE_YIELD == 0) {
                Thread.yield();
                if (System.nanoTime() - since > LIMIT_NANOS) {
                    throw new StalledException("task " + wanted + " did not start in half a minute");
                }
            }
        }
    }

    @Override
    public void close() {
        serial.close();
    }
}
