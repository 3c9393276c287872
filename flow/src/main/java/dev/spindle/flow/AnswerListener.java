// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What hangs on the user's stage, perhaps for ever. */
final class AnswerListener<Q extends @Nullable Object, A extends @Nullable Object> implements BiConsumer<A, Throwable> {
    private final Endpoint<Q, A> endpoint;
    /** While the stage is asked: an answer that is there at once comes in a call that has looked at its stack. */
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
