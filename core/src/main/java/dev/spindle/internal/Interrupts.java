// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * Interrupts threads whose class may be a user's, so that {@link Thread#interrupt} may run user code and throw. The
 * caller sends an interrupt in the middle of a step that confines the interrupt to one turn. A failure of the interrupt
 * does not abort that step, and is logged after the step.
 */
public final class Interrupts {
    private Interrupts() {}

    /**
     * Interrupts {@code thread}; returns what its {@code interrupt} threw, to be passed to {@link #report} after the
     * step, or null. Never throws.
     */
    public static @Nullable Throwable send(Thread thread) {
        try {
            thread.interrupt();
            return null;
        } catch (Throwable t) {
            return t; // U1
        }
    }

    /** Logs the failure that {@link #send} returned. Never throws. */
    public static void report(@Nullable Throwable failure) {
        if (failure == null) {
            return;
        }
        try {
            System.getLogger("dev.spindle.Spindle")
                    .log(System.Logger.Level.WARNING, "a thread could not be interrupted", failure);
        } catch (Throwable t) {
            return; // the logger failed, and there is no other place to report to
        }
    }

    /** Interrupts {@code thread}, and logs a failure at once. Never throws. */
    public static void sendAndReport(Thread thread) {
        report(send(thread));
    }
}
