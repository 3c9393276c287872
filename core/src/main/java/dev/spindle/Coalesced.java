// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.concurrent.CompletableFuture;

/**
 * The outcome of one submission of a coalescing task. Thread-safe.
 *
 * <p><b>Memory consistency effects.</b> Actions of the task happen-before {@link #state} returns {@link State#DONE} or
 * {@link State#FAILED}, and before the completion of {@link #outcome}.
 */
public interface Coalesced {
    /** The states of a submission. PENDING leads to any other, RUNNING to DONE or FAILED; the others are final. */
    enum State {
        /** The task waits for its turn. */
        PENDING,
        /** The task runs. */
        RUNNING,
        /** The task has run. */
        DONE,
        /** The task threw; the failure handler was called. */
        FAILED,
        /** The task was replaced by a newer submission; it does not run. */
        SUPERSEDED,
        /** The task was cancelled, alone or with all waiting tasks of its lane; it does not run. */
        CANCELLED
    }

    /** Returns the current state. */
    State state();

    /** Returns true if a newer submission replaced this one. */
    default boolean isSuperseded() {
        return state() == State.SUPERSEDED;
    }

    /**
     * Cancels the submission if it is still pending.
     *
     * @return true if this call cancelled it
     */
    boolean cancel();

    /** Returns a future that completes normally with the final state. Completing it has no effect on the task. */
    CompletableFuture<State> outcome();
}
