// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.measure;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures the round-trip time of a cache line between two processors. The host of a virtual machine may move its
 * processors between chips, which changes the cost of every hand-over between threads.
 */
public final class ProcessorDistance {
    private static final int TRIPS = 400;
    private static final int BATCHES = 200;
    private static final long LIMIT_NANOS = 40_000_000;
    private static final int THERE = 1;
    private static final int BACK = 2;

    private ProcessorDistance() {}

    /**
     * Returns the shortest mean of several batches of round trips, in nanoseconds. The result is NaN if there is only
     * one processor, or if no batch ended within 40 ms.
     */
    public static double nanos() throws InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            return Double.NaN;
        }
        AtomicInteger line = new AtomicInteger(BACK);
        Thread partner = new Thread(
                () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        line.compareAndSet(THERE, BACK);
                    }
                },
                "processor-distance");
        partner.start();
        long limit = System.nanoTime() + LIMIT_NANOS;
        double shortest = Double.NaN;
        for (int batch = 0; batch < BATCHES && System.nanoTime() < limit; batch++) {
            long start = System.nanoTime();
            if (thereAndBack(line, limit)) {
                double mean = (double) (System.nanoTime() - start) / TRIPS;
                shortest = shortest < mean ? shortest : mean;
            }
        }
        partner.interrupt();
        partner.join();
        return shortest;
    }

    private static boolean thereAndBack(AtomicInteger line, long limit) {
        for (int trip = 0; trip < TRIPS; trip++) {
            line.set(THERE);
            for (int looks = 1; line.get() != BACK; looks++) {
                if (looks % TRIPS == 0 && System.nanoTime() > limit) {
                    return false;
                }
            }
        }
        return true;
    }
}
