// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.internal.report.Figures;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a backend may be called. A breaker belongs to one backend; endpoints of the same backend may share
 * the breaker.
 *
 * <p>{@link #create} returns a breaker that counts the last calls. An adapter to another library calls the breaker of
 * that library in {@link #tryPass} and in the methods of the {@link Pass}.
 *
 * <p>An implementation must be thread-safe and must not block. Its methods are called by the thread that begins or ends
 * a call, without a lock. If {@link #tryPass} throws, the call fails. An exception of a {@link Pass} goes to the
 * uncaught-exception handler of the thread.
 */
public interface Breaker {
    /** Returns the right to one call, or null if the backend must not be called. */
    @Nullable
    Pass tryPass();

    /** Returns the state, for metrics and logs. */
    State state();

    /**
     * Returns the counts of a breaker that {@link #create} or {@link #builder} has made, as they were at some time
     * during the call.
     *
     * <ul>
     *   <li>{@link Stats#accepted} is the number of passes: {@link Stats#completed} calls with a pass have ended, and
     *       {@link Stats#running} have not.
     *   <li>{@link Stats#failed} is the number of failures, and {@link Stats#rejected} the number of calls that got no
     *       pass.
     *   <li>{@link Stats#maxConcurrency} is the number of calls that may get a pass: {@link Integer#MAX_VALUE} while
     *       the breaker is closed, 0 while it is open, and the number of trials while it is half-open.
     * </ul>
     *
     * <p>For an adapter, the name is its {@code toString}, and all counts are 0.
     */
    default Stats stats() {
        return new Figures(toString(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Integer.MAX_VALUE);
    }

    /** The state of a breaker. */
    enum State {
        /** Calls are made and counted. */
        CLOSED,
        /** No call is made. */
        OPEN,
        /** Some calls are made as trials, and their ends determine the next state. */
        HALF_OPEN
    }

    /** The right to one call. When the call has ended, exactly one method is called, once. */
    interface Pass {
        /** Records a success, {@code elapsed} after the call was made. */
        void success(Duration elapsed);

        /** Records a failure, or a timeout after at least the time that the backend may take. */
        void failure(Duration elapsed, Outcome<?> outcome);

        /**
         * Gives the pass back without a result. Called if the call was not made, was cancelled by its caller, was
         * rejected, or had less time than the backend may take.
         */
        void ignore();
    }

    /** Returns a breaker with the defaults of {@link #builder}. */
    static Breaker create(Spindle spindle, String name) {
        return builder(spindle, name).build();
    }

    /** Returns a builder for a breaker that counts the last calls. Messages contain {@code name}. */
    static BreakerBuilder builder(Spindle spindle, String name) {
        return new BreakerBuilder(spindle, name);
    }
}
