// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;

/** Tasks for tests. */
final class Tasks {
    private Tasks() {}

    /** Throwables of every kind, also those that futures treat specially. */
    static List<Throwable> failures() {
        return List.of(
                new IllegalStateException("expected"),
                new Exception("expected"),
                new AssertionError("expected"),
                new StackOverflowError("expected"),
                new InterruptedException("expected"),
                new CancellationException("expected"),
                new TimeoutException("expected"),
                new CompletionException("expected", new IllegalStateException("inner")),
                new ExecutionException("expected", new IllegalStateException("inner")));
    }

    /** Returns a task that throws {@code failure}. */
    static Callable<String> throwing(Throwable failure) {
        return () -> {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (Exception) failure;
        };
    }

    /** Returns a task that throws {@code failure}. */
    static Runnable throwingRunnable(Throwable failure) {
        return () -> {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        };
    }

    /** Returns a task that passes through {@code gate}. */
    static Callable<String> through(Gate gate) {
        return Executors.callable(gate, "through");
    }

    /** Returns {@code failure} and its causes. */
    static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable next = failure; next != null; next = next.getCause()) {
            chain.add(next);
        }
        return chain;
    }

    /** Returns null for a type that does not allow it, which must be refused. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    static <T> T unsafeNull() {
        return null;
    }
}
