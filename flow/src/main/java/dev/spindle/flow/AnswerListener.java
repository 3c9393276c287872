// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.flow.internal.Headroom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The listener at a user's stage. The stage may never complete, so after the attempt the listener does not refer to the
 * call.
 */
final class AnswerListener<Q extends @Nullable Object, A extends @Nullable Object> implements BiConsumer<A, Throwable> {
    private final Endpoint<Q, A> endpoint;
    /** True during the registration, when a completed stage calls the listener at once, on a stack that was checked. */
    boolean isAtOnce = true;

    volatile @Nullable GuardedAttempt<Q, A> attempt;

    AnswerListener(GuardedAttempt<Q, A> attempt, Endpoint<Q, A> endpoint) {
        this.attempt = attempt;
        this.endpoint = endpoint;
    }

    @Override
    @SuppressWarnings("NullAway") // exactly one of the two is there
    public void accept(A value, @Nullable Throwable thrown) {
        if (!isAtOnce) {
            Headroom.forOneStep();
        }
        GuardedAttempt<Q, A> of = attempt;
        if ((of == null || !of.answered(value, thrown)) && thrown == null) {
            endpoint.discard(value);
        }
    }
}
