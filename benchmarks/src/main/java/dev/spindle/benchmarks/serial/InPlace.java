// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;

/** The limit: one thread makes the tasks of all producers and runs them where it stands. */
final class InPlace implements Subject {
    private final int producers;
    private final int share;

    InPlace(int producers, Scale scale) {
        this.producers = producers;
        share = scale.of(Flood.TASKS, 1_000) / producers;
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int tasks = share * producers;
        Ledger ledger = new Ledger(producers, tasks);
        recorder.begin();
        for (int number = 0; number < share; number++) {
            for (int producer = 0; producer < producers; producer++) {
                ledger.task(producer, number).run();
            }
        }
        long misplaced = ledger.await();
        recorder.value(SerialComparison.TASK, (double) recorder.end(tasks) / tasks);
        recorder.violations(misplaced);
    }

    @Override
    public void close() {}
}
