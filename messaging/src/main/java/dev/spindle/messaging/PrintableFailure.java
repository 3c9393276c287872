// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

/**
 * A guard against user exceptions whose {@code toString} throws. A {@link java.util.concurrent.CompletionStage} calls
 * that method for its dependents, which would never complete.
 */
public final class PrintableFailure {
    private PrintableFailure() {}

    /** Returns {@code failure}; if its {@code toString} throws, an exception with it as the cause. */
    public static Throwable of(Throwable failure) {
        try {
            String unused = failure.toString();
            return failure;
        } catch (Throwable t) {
            return new IllegalStateException(failure.getClass().getName() + ", which cannot be printed", failure);
        }
    }
}
