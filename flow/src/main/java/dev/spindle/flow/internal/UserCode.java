// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.internal;

/** Calls user code whose exceptions have no caller, and go to the uncaught-exception handler of the thread. */
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
            // the failure of the handler is ignored
        }
    }

    /**
     * Runs one of several actions of a timer. Clears an interrupt that the action leaves, so that the next action does
     * not see the interrupt.
     */
    public static void onTime(Runnable action) {
        guarded(action);
        boolean unused = Thread.interrupted();
    }

    /** Runs {@code action}. Never throws. */
    public static void guarded(Runnable action) {
        try {
            action.run();
        } catch (Throwable t) {
            uncaught(t);
        }
    }
}
