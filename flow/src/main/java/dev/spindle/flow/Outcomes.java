// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What this package does with outcomes. */
final class Outcomes {
    /** So many wrappers are taken off, and so many kinds of outcomes told apart in a message. */
    private static final int MOST = 8;

    private Outcomes() {}

    /** Returns {@code outcome}, which has no value, as that of another type. */
    @SuppressWarnings("unchecked")
    static <R extends @Nullable Object> Outcome<R> cast(Outcome<?> outcome) {
        assert !outcome.isValue();
        return (Outcome<R>) outcome;
    }

    /** Returns the outcome of a stage that completed with these. */
    @SuppressWarnings("NullAway") // a value is null where T may be
    static <T extends @Nullable Object> Outcome<T> of(@Nullable T value, @Nullable Throwable thrown) {
        return thrown == null ? new Outcome.Value<>(value) : Outcome.ofThrown(thrown);
    }

    /** Takes off the wrappers that futures put on. A throwable of the user's own may throw, or be its own cause. */
    static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown;
        try {
            for (int i = 0; i < MOST && isWrapper(cause); i++) {
                Throwable inner = cause.getCause();
                if (inner == null) {
                    return cause;
                }
                cause = inner;
            }
        } catch (Throwable t) {
            return cause;
        }
        return cause;
    }

    private static boolean isWrapper(Throwable thrown) {
        return thrown instanceof CompletionException || thrown instanceof ExecutionException;
    }

    /** Returns the message, or {@code other} if there is none. A throwable of the user's own may throw. */
    static String message(Throwable thrown, String other) {
        try {
            String message = thrown.getMessage();
            return message == null ? other : message;
        } catch (Throwable t) {
            return other;
        }
    }

    /** Returns how many outcomes there are of each kind: counts and names of classes, and no code of users runs. */
    static String counts(List<Outcome<?>> outcomes) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Outcome<?> outcome : outcomes) {
            String kind = kind(outcome);
            counts.merge(counts.size() < MOST || counts.containsKey(kind) ? kind : "other", 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String kind(Outcome<?> outcome) {
        String name = outcome.getClass().getSimpleName();
        return outcome instanceof Outcome.Failed<?> failed
                ? name + " (" + failed.cause().getClass().getName() + ")"
                : name;
    }
}
