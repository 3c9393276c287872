// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.loop;

import java.time.Duration;

/** A limit of one second on an action that may never return, such as a write to a pipe that is not read. */
public final class InTime {
    /** The time limit, which is far above the milliseconds of a write to a disk. Not measured. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private InTime() {}

    /**
     * Runs {@code action} on a daemon thread, and waits up to a second for the end of the action. A caller that is
     * interrupted stops waiting, and stays interrupted.
     *
     * @param name the name of the thread
     * @return whether the action has ended
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
