// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Interruptions;
import java.util.concurrent.CountDownLatch;

/** Waiting, as tasks do that wait for something outside. */
final class Pauses {
    private Pauses() {}

    static void sleepMillis(long millis) {
        Interruptions.ignoring(() -> Thread.sleep(millis));
    }

    static void await(CountDownLatch latch) {
        Interruptions.ignoring(latch::await);
    }
}
