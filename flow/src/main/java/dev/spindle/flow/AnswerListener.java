// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.internal.Headroom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The listener that an attempt adds to the stage of a {@link Call}. The stage may never complete, so the listener drops
 * its reference to the attempt when the attempt ends.
 */
final class AnswerListener<Q extends @Nullable Object, A extends @Nullable Object> implements BiConsumer<A, Throwable> {
    private final Endpoint<Q, A> endpoint;
    /**
     * True during the call of {@code whenComplete}, which may call this listener on a stack that was checked before.
     */
    boolean isAtOnce = true;

    volatile @Nullable GuardedAttempt<Q, A> attempt;

    AnswerListener(GuardedAttempt<Q, A> attempt, Endpoint<Q, A> endpoint) {
        this.attempt = attempt;
        this.endpoint = endpoint;
    }

    @Override
    @SuppressWarnings("NullAway") // without a throwable there is a value, which is null only if A may be null
    public void accept(A value, @Nullable Throwable thrown) {
        if (!isAtOnce) {
            Headroom.requireTwice();
        }
        GuardedAttempt<Q, A> of = attempt;
        if ((of == null || !of.answered(value, thrown)) && thrown == null) {
            endpoint.discard(value);
        }
    }
}
