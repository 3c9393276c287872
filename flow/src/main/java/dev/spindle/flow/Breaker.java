// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.Spindle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a backend may be called. A breaker belongs to one backend; endpoints of the same backend may share
 * it.
 *
 * <p>{@link #create} returns one that counts the last calls. An adapter to the breaker of another library asks that for
 * a permission in {@link #tryPass}, and reports through the {@link Pass}.
 *
 * <p>An implementation must be thread-safe and must not block. It is called with no lock held, by the thread that
 * begins or ends a call. If {@link #tryPass} throws, the call fails. What a pass throws goes to the thread's
 * uncaught-exception handler.
 */
public interface Breaker {
    /** Returns the right to one call, or null if the backend must not be called. */
    @Nullable
    Pass tryPass();

    /** Returns the state, for metrics and logs. */
    State state();

    /** The state of a breaker. */
    enum State {
        /** Calls are made and counted. */
        CLOSED,
        /** No call is made. */
        OPEN,
        /** Some calls are made as trials, whose ends decide the next state. */
        HALF_OPEN
    }

    /** The right to one call. Exactly one of its methods is called, once, when the call has ended. */
    interface Pass {
        /** The call has ended well, {@code elapsed} after it was made. */
        void success(Duration elapsed);

        /** The call has failed, or has timed out after at least as much time as the backend may take. */
        void failure(Duration elapsed, Outcome<?> outcome);

        /**
         * The call was not made, or its end says nothing about the backend: its caller cancelled it, an executor
         * refused it, or it had less time than the backend may take. It counts neither way.
         */
        void ignore();
    }

    /** Returns a breaker with the defaults of {@link #builder}. */
    static Breaker create(Spindle spindle, String name) {
        return builder(spindle, name).build();
    }

    /** Returns a builder for a breaker that counts the last calls; the name is for messages. */
    static BreakerBuilder builder(Spindle spindle, String name) {
        return new BreakerBuilder(spindle, name);
    }
}
