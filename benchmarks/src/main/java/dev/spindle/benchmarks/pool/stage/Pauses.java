// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import dev.spindle.benchmarks.forks.Interruptions;
import java.util.concurrent.CountDownLatch;

/** Waiting, as tasks do that wait for something outside. */
public final class Pauses {
    private Pauses() {}

    public static void sleepMillis(long millis) {
        Interruptions.ignoring(() -> Thread.sleep(millis));
    }

    public static void await(CountDownLatch latch) {
        Interruptions.ignoring(latch::await);
    }
}
