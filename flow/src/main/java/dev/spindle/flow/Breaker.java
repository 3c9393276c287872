// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.Spindle;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a backend is called at all. A breaker belongs to one backend; endpoints of the same backend may share
 * it.
 *
 * <p>{@link #create} returns a small one that counts the last calls. Others plug in here: an adapter asks its library
 * for a permission in {@link #tryPass} and reports through the {@link Pass}.
 *
 * <p>Implementations must be thread-safe, must not block, and are called with no lock held, by the thread that begins
 * or ends a call. A breaker that throws in {@link #tryPass} fails that call; what a pass throws goes to the thread's
 * uncaught-exception handler.
 */
public interface Breaker {
    /** Returns the right to one call, or null if the backend must not be called. */
    @Nullable
    Pass tryPass();

    /** Returns the state, for people to see. */
    State state();

    /** What a breaker is. */
    enum State {
        /** Calls go through, and are counted. */
        CLOSED,
        /** No call goes through. */
        OPEN,
        /** Some trials go through; what becomes of them decides. */
        HALF_OPEN
    }

    /** The right to one call. Exactly one of its methods is called, once, when that call has ended. */
    interface Pass {
        /** The call has ended well. */
        void success(long elapsedNanos);

        /** The call has failed, or its time was up although it had as much as the backend may take. */
        void failure(long elapsedNanos, Outcome<?> outcome);

        /**
         * The call was made, and how it ended says nothing about the backend: it was cancelled by us
         * ({@link Outcome.Cancelled}), or refused by an executor ({@link Outcome.Rejected}), or it was not given the
         * time that the backend may take. It counts neither way; of the trials of a half-open breaker it is one. By
         * default this is {@link #release}.
         */
        default void undecided(long elapsedNanos, Outcome<?> outcome) {
            release();
        }

        /** The call was not made: it counts neither way. */
        void release();
    }

    /** Returns a breaker with the defaults of {@link #builder}. */
    static Breaker create(Spindle spindle) {
        return builder(spindle).build();
    }

    /** Returns a builder for a breaker that counts the last calls. */
    static BreakerBuilder builder(Spindle spindle) {
        return new BreakerBuilder(spindle);
    }
}
