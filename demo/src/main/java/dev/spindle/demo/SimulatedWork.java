// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.concurrent.atomic.AtomicLong;

/** Stands for the work a real program would do per event. */
final class SimulatedWork {

    private SimulatedWork() {}

    /**
     * Does so many atomic increments, and returns how many it did.
     *
     * <p>The counter is new each time: one kept by the aircraft would order its turns by itself, and hide an executor
     * that does not.
     */
    @SuppressWarnings("UnnecessaryAsync") // Atomic is what the work is to be.
    static long increment(int times) {
        AtomicLong counter = new AtomicLong();
        for (int i = 0; i < times; i++) {
            counter.incrementAndGet();
        }
        return counter.get();
    }
}
