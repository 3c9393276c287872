// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

/** Where throwables go that nobody waits for: to the uncaught-exception handler of the thread. */
final class Reports {
    private Reports() {}

    static void uncaught(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
            if (handler != null) {
                handler.uncaughtException(thread, thrown);
            }
        } catch (Throwable ignored) {
            // a handler that throws is as good as none
        }
    }

    /** The same on a thread of the spindle, for several calls one after another: what one leaves reaches no other. */
    static void onTime(Runnable action) {
        guarded(action);
        boolean unused = Thread.interrupted();
    }

    /** Runs code of users, of which nothing else must depend. */
    static void guarded(Runnable action) {
        try {
            action.run();
        } catch (Throwable t) {
            uncaught(t);
        }
    }
}
