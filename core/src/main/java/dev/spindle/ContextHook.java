// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import org.jspecify.annotations.Nullable;

/**
 * Carries a context (a trace, a tenant, logging fields) from the submitting thread to the thread that runs the task.
 *
 * <p>When a coalescing task is superseded, its context goes with it: the run sees the context of the newest submit.
 */
public interface ContextHook {
    /** Returns what is to be carried. Called by the submitting thread; what it throws reaches the submitter. */
    @Nullable
    Object capture();

    /**
     * Makes {@code captured} the context of the calling worker, until the returned scope is closed after the task. What
     * it throws is a failure of the task, which then does not run.
     */
    Scope restore(@Nullable Object captured);

    /** A context in force. */
    interface Scope extends AutoCloseable {
        /** Puts back what was in force before. */
        @Override
        void close();
    }
}
