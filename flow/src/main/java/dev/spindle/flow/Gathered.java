// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The answer of a {@link ScatterGather}: the outcome of each of its services. Immutable. */
public final class Gathered {
    private final Object owner;
    private final List<Outcome<?>> outcomes;

    Gathered(Object owner, List<Outcome<?>> outcomes) {
        this.owner = owner;
        this.outcomes = outcomes;
    }

    /** Returns the outcomes in the order in which the services were added. */
    public List<Outcome<?>> outcomes() {
        return outcomes;
    }

    /**
     * Returns the outcome of one service.
     *
     * @throws IllegalArgumentException if {@code part} belongs to another scatter-gather
     */
    @SuppressWarnings("unchecked") // a part has the type of its service
    public <A extends @Nullable Object> Outcome<A> outcome(Part<A> part) {
        if (part.owner != owner) {
            throw new IllegalArgumentException(part + " belongs to another scatter-gather");
        }
        return (Outcome<A>) outcomes.get(part.index);
    }

    /**
     * Returns the value of one service, or throws as {@link Outcome#orThrow} does.
     *
     * @throws IllegalArgumentException if {@code part} belongs to another scatter-gather
     */
    public <A extends @Nullable Object> A value(Part<A> part) {
        return outcome(part).orThrow();
    }

    /** Returns a string with the outcomes, in the order of the services. */
    @Override
    public String toString() {
        return outcomes.stream().map(Object::toString).collect(Collectors.joining(", ", "gathered [", "]"));
    }
}
