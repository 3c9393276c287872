// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for threads of the harness. A thread of the harness is interrupted only to end it. */
public final class Waits {
    private static final int LIMIT_SECONDS = 60;

    private Waits() {}

    /** An action that may block and be interrupted. */
    public interface Wait {
        void run() throws InterruptedException;
    }

    /** Runs an action. If the action is interrupted, this method returns with the interrupt status set. */
    public static void ignoring(Wait wait) {
        try {
            wait.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void sleepMillis(long millis) {
        ignoring(() -> Thread.sleep(millis));
    }

    /** Parks until {@link System#nanoTime} reaches {@code due}. */
    public static void until(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /**
     * Waits until {@code latch} is released.
     *
     * @param missing the event that did not happen, for the message
     * @throws StalledException if the latch is not released within a minute
     */
    public static void await(CountDownLatch latch, String missing) throws InterruptedException {
        if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException(missing + " after " + LIMIT_SECONDS + " s (" + latch.getCount() + ")");
        }
    }

    public static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
