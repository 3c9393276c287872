// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

/**
 * A guard against user exceptions whose {@code toString} throws. A {@link java.util.concurrent.CompletableFuture} calls
 * {@code toString} when it completes a dependent; if the call throws, the dependent never completes.
 */
public final class PrintableFailure {
    private PrintableFailure() {}

    /** Returns {@code failure}, or an exception with {@code failure} as the cause if its {@code toString} throws. */
    public static Throwable of(Throwable failure) {
        try {
            String unused = failure.toString();
            return failure;
        } catch (Throwable t) {
            return new IllegalStateException(failure.getClass().getName() + ", which cannot be printed", failure);
        }
    }
}
