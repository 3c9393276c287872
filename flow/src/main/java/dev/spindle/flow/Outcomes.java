// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import org.jspecify.annotations.Nullable;

/** What this package does with outcomes. */
final class Outcomes {
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
}
