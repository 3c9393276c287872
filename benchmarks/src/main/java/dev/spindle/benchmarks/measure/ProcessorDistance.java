// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.measure;

import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the distance of two processors: the nanoseconds that a cache line takes from one to the other and back.
 * The host of a virtual machine may move its processors between chips at any time, and every hand-over between threads
 * may then cost several times as much. Its second thread sleeps between two measurements.
 */
public final class ProcessorDistance implements AutoCloseable {
    private static final int TRIPS = 400;
    private static final int BATCHES = 4;
    private static final long LIMIT_NANOS = 2_000_000;
    /** Measurements after which both loops are compiled. */
    private static final int WARM = 60;

    private static final int IDLE = 0;
    private static final int THERE = 1;
    private static final int BACK = 2;
    private static final int END = 3;

    private final Thread partner = new Thread(this::answer, "processor-distance");
    private final AtomicInteger line = new AtomicInteger(IDLE);

    private ProcessorDistance() {
        partner.setDaemon(true);
    }

    /** Starts the second thread. */
    public static ProcessorDistance open() {
        ProcessorDistance distance = new ProcessorDistance();
        distance.partner.start();
        for (int i = 0; i < WARM; i++) {
            distance.nanos();
        }
        return distance;
    }

    /**
     * Returns the shortest mean of a few batches of round trips, within two milliseconds; empty if there is only one
     * processor, or the second thread did not get one.
     */
    public OptionalDouble nanos() {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            return OptionalDouble.empty();
        }
        long limit = System.nanoTime() + LIMIT_NANOS;
        line.set(BACK);
        LockSupport.unpark(partner);
        double shortest = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < BATCHES; batch++) {
            long start = System.nanoTime();
            if (!thereAndBack(limit)) {
                break;
            }
            double mean = (double) (System.nanoTime() - start) / TRIPS;
            shortest = Math.min(shortest, mean);
        }
        line.set(IDLE);
        return Double.isInfinite(shortest) ? OptionalDouble.empty() : OptionalDouble.of(shortest);
    }

    public Thread partner() {
        return partner;
    }

    private boolean thereAndBack(long limit) {
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

    private void answer() {
        while (true) {
            int seen = line.get();
            if (seen == END) {
                return;
            }
            if (seen == IDLE) {
                LockSupport.park(this);
            } else if (seen == THERE) {
                line.compareAndSet(THERE, BACK); // unless the other has given up
            }
        }
    }

    @Override
    public void close() {
        line.set(END);
        LockSupport.unpark(partner);
    }
}
