// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.concurrent.CompletableFuture;

/**
 * The outcome of one submission of a coalescing task. Thread-safe.
 *
 * <p>Memory consistency effects: what the task did happens-before a return of {@link #state} that says {@link
 * State#DONE} or {@link State#FAILED}, and before the completion of {@link #outcome}.
 */
public interface Coalesced {
    /** The states of a submission. PENDING leads to any other, RUNNING to DONE or FAILED; the rest are final. */
    enum State {
        /** Waits for its turn. */
        PENDING,
        /** Runs. */
        RUNNING,
        /** Has run. */
        DONE,
        /** Threw; the failure handler was told. */
        FAILED,
        /** A newer submission took its place; it does not run. */
        SUPERSEDED,
        /** Was cancelled, alone or with all that waited in its lane; it does not run. */
        CANCELLED
    }

    /** Returns the state now. */
    State state();

    /** Returns whether a newer submission took this one's place. */
    default boolean isSuperseded() {
        return state() == State.SUPERSEDED;
    }

    /**
     * Cancels the submission if it still waits.
     *
     * @return whether it was cancelled by this call
     */
    boolean cancel();

    /** Returns a future that completes normally with the final state. Completing it has no effect on the task. */
    CompletableFuture<State> outcome();
}
