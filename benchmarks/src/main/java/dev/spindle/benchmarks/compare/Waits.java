// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waiting for threads of the harness, which are interrupted only to end them. */
public final class Waits {
    private static final int LIMIT_SECONDS = 60;

    private Waits() {}

    /** A wait that an interrupt ends. */
    public interface Wait {
        void run() throws InterruptedException;
    }

    /** Waits; an interrupt ends the wait, and the interrupt status stays set. */
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
     * Waits for a latch.
     *
     * @param missing the event that had not happened, for the message
     * @throws StalledException after a minute
     */
    public static void await(CountDownLatch latch, String missing) throws InterruptedException {
        if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException(missing + " after " + LIMIT_SECONDS + " s (" + latch.getCount() + ")");
        }
    }

    /** Starts a daemon thread. */
    public static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
