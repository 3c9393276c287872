// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import org.jspecify.annotations.Nullable;

/**
 * A handle of one service in a {@link ScatterGather}. {@link Gathered#outcome} returns the outcome of the service.
 *
 * @param <A> the type of the answers
 */
@SuppressWarnings("UnusedTypeParameter") // Gathered.outcome() casts to the type
public final class Part<A extends @Nullable Object> {
    final Object owner;
    final int index;

    Part(Object owner, int index) {
        this.owner = owner;
        this.index = index;
    }

    /** Returns a string with the index. */
    @Override
    public String toString() {
        return "part " + index;
    }
}
