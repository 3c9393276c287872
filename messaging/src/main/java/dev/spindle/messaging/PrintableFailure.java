// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

/**
 * Failures of users that a {@link java.util.concurrent.CompletionStage} can pass on: it asks them for their text, and a
 * stage that depends on another would never complete if that threw.
 */
public final class PrintableFailure {
    private PrintableFailure() {}

    /** Returns {@code failure}; if it cannot be printed, an exception with it as the cause. */
    public static Throwable of(Throwable failure) {
        try {
            String unused = failure.toString();
            return failure;
        } catch (Throwable t) {
            return new IllegalStateException(failure.getClass().getName() + ", which cannot be printed", failure);
        }
    }
}
