// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

/** For threads of the harness, which nobody has a reason to interrupt. */
public final class Interruptions {
    private Interruptions() {}

    public interface Waiting {
        void run() throws InterruptedException;
    }

    /** Sleeps, as tasks do that wait for something outside. */
    public static void sleepMillis(long millis) {
        ignoring(() -> Thread.sleep(millis));
    }

    /** Waits; an interrupt ends the wait and is kept as the thread's flag. */
    public static void ignoring(Waiting waiting) {
        try {
            waiting.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
