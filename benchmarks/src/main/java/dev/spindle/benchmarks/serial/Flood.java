// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import dev.spindle.benchmarks.compare.Producers;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.peers.SerialExecutors;
import java.util.concurrent.Executor;

/** A million tasks in total from some threads to one serial executor. */
final class Flood implements Subject {
    static final int TASKS = 1_000_000;

    private final SerialExecutors serial;
    private final Producers crew;
    private final int producers;
    private final int share;

    Flood(SerialExecutors serial, int producers, Scale scale) {
        this.serial = serial;
        this.producers = producers;
        share = scale.of(TASKS, 1_000) / producers;
        crew = new Producers(producers);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        recorder.begin();
        long misplaced = run();
        recorder.value(SerialComparison.TASK, (double) recorder.end(tasks()) / tasks());
        recorder.violations(misplaced);
    }

    /** Submits all tasks and waits for them; returns how many ran out of order. */
    long run() throws InterruptedException {
        Ledger ledger = new Ledger(producers, tasks());
        Executor executor = serial.executors().get(0);
        crew.start(producer -> {
            for (int number = 0; number < share; number++) {
                executor.execute(ledger.task(producer, number));
            }
        });
        return ledger.await();
    }

    private int tasks() {
        return share * producers;
    }

    @Override
    public void close() {
        crew.close();
        serial.close();
    }
}
