// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.benchmarks.peers.Pools;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The shape of SOFAJRaft's own benchmark; one set of executors for all passes, where that makes new ones each time. */
final class Harness implements Subject {
    private static final int FEEDERS = 32;
    private static final int PATIENCE_SECONDS = 60;

    private final Serial serial;
    private final ThreadPoolExecutor feeders;
    private final int tasks;

    Harness(Serial serial, Scale scale) {
        this.serial = serial;
        tasks = scale.of(Flood.TASKS, 1_000);
        feeders = new ThreadPoolExecutor(FEEDERS, FEEDERS, 60, TimeUnit.SECONDS, new ArrayBlockingQueue<>(Flood.TASKS));
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        Executor executor = serial.first();
        CountDownLatch latch = new CountDownLatch(tasks);
        recorder.begin();
        for (int i = 0; i < tasks; i++) {
            feeders.execute(() -> executor.execute(latch::countDown));
        }
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException(
                    latch.getCount() + " of " + tasks + " tasks had not run after " + PATIENCE_SECONDS + " s");
        }
        recorder.value(SerialComparison.TASK, (double) recorder.end(tasks) / tasks);
    }

    @Override
    public void close() {
        Pools.close(feeders);
        serial.close();
    }
}
