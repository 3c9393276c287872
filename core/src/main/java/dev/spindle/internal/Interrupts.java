// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * Interrupts threads. A user's subclass of {@link Thread} may override {@code interrupt} and throw. {@link #send} never
 * throws, so the caller can complete the step that confines the interrupt to one turn. {@link #report} then logs the
 * failure.
 */
public final class Interrupts {
    private Interrupts() {}

    /**
     * Interrupts {@code thread}. Returns the throwable of {@code Thread.interrupt}, which the caller later passes to
     * {@link #report}, or null. Never throws.
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
