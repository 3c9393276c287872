// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/**
 * Interrupts threads that are perhaps made by a user's factory, so that {@link Thread#interrupt} is user code: it may
 * throw, and is called in the middle of a step that keeps the interrupt for one turn. What it throws never leaves that
 * step undone: it goes to the log afterwards.
 */
public final class Interrupts {
    private Interrupts() {}

    /**
     * Interrupts {@code thread}; returns what its {@code interrupt} threw, for {@link #report} when the step is done,
     * or null. Never throws.
     */
    public static @Nullable Throwable send(Thread thread) {
        try {
            thread.interrupt();
            return null;
        } catch (Throwable t) {
            return t;
        }
    }

    /** Logs what {@link #send} returned. Never throws. */
    public static void report(@Nullable Throwable failure) {
        if (failure == null) {
            return;
        }
        try {
            System.getLogger("dev.spindle.Spindle")
                    .log(System.Logger.Level.WARNING, "a thread could not be interrupted", failure);
        } catch (Throwable t) {
            return; // the caller's step is done, and there is no other place for it
        }
    }

    /** Interrupts {@code thread} where no step has to be done first. Never throws. */
    public static void sendAndReport(Thread thread) {
        report(send(thread));
    }
}
