// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import java.time.Duration;

/** Runs what may block for good, as a write to a pipe that is not read: its caller waits for a second at most. */
public final class InTime {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private InTime() {}

    /**
     * Runs {@code action} on a daemon thread, and returns when it has ended or a second is over. A thread that is
     * interrupted does not wait, and stays interrupted.
     *
     * @return whether it has ended
     */
    public static boolean run(String name, Runnable action) {
        Thread thread = new Thread(null, action, name, 0, false);
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
