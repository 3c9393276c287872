// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits of tests for conditions. */
final class Eventually {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Eventually() {}

    /** Waits until {@code condition} holds; fails with {@code state} if it does not within 60 s. */
    static void until(BooleanSupplier condition, Supplier<?> state) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("the condition does not hold: " + state.get());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Waits for {@code latch}; fails if it is not open within 60 s. */
    static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the latch is not open");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
