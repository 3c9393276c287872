// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.internal;

/** Calls user code that has no caller to throw to: its exceptions go to the uncaught-exception handler. */
public final class UserCode {
    private UserCode() {}

    /** Passes a throwable to the uncaught-exception handler of the calling thread. */
    public static void uncaught(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
            if (handler != null) {
                handler.uncaughtException(thread, thrown);
            }
        } catch (Throwable ignored) {
            // a handler that throws is treated like a missing handler
        }
    }

    /**
     * Runs one of several actions of a time limit. Clears an interrupt that the action leaves, so that the next action
     * does not see it.
     */
    public static void onTime(Runnable action) {
        guarded(action);
        boolean unused = Thread.interrupted();
    }

    /** Runs {@code action}, and never throws. */
    public static void guarded(Runnable action) {
        try {
            action.run();
        } catch (Throwable t) {
            uncaught(t);
        }
    }
}
