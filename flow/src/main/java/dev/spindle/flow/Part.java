// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import org.jspecify.annotations.Nullable;

/**
 * The place of one service in a {@link ScatterGather}, by which its outcome is found in the {@link Gathered}.
 *
 * @param <A> the type of the answers
 */
@SuppressWarnings("UnusedTypeParameter") // the outcome is cast to the type
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
