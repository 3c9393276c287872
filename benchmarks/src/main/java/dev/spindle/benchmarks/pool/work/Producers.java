// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import dev.spindle.benchmarks.forks.Interruptions;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;

/** Several threads that submit at the same time. */
final class Producers {
    private Producers() {}

    /** Runs {@code producer} with each of the numbers below {@code count}, 0 on the calling thread; returns when all have. */
    static void run(int count, IntConsumer producer) throws InterruptedException {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Thread[] threads = new Thread[count - 1];
        for (int i = 0; i < threads.length; i++) {
            int own = i + 1;
            threads[i] = new Thread(() -> producer.accept(own), "producer-" + own);
            threads[i].setDaemon(true);
            threads[i].setUncaughtExceptionHandler((thread, thrown) -> failures.add(thrown));
            threads[i].start();
        }
        try {
            producer.accept(0);
        } finally {
            for (Thread thread : threads) {
                Interruptions.ignoring(thread::join);
            }
        }
        if (failures.peek() instanceof RuntimeException e) {
            throw e;
        } else if (failures.peek() instanceof Error e) {
            throw e;
        }
    }

    /** Where the share of a producer begins. */
    static int start(int count, int producers, int own) {
        return (int) ((long) count * own / producers);
    }
}
