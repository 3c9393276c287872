// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import org.jspecify.annotations.Nullable;

/**
 * Carries a context (a trace, a tenant, logging fields) from the submitting thread to the thread that runs the task.
 * Implementations must be thread-safe.
 *
 * <p>The context of a superseded coalescing task is dropped. The newer task runs with the context of its own submit.
 */
public interface ContextHook {
    /**
     * Returns the context of the calling thread. The submitting thread calls this method. An exception of this method
     * reaches the submitter.
     */
    @Nullable
    Object capture();

    /**
     * Makes {@code captured} the context of the calling worker, until the returned scope is closed after the task. If
     * this method throws, the task fails with that exception and does not run.
     */
    Scope restore(@Nullable Object captured);

    /** The period during which a restored context is in force. */
    interface Scope extends AutoCloseable {
        /** Restores the previous context. */
        @Override
        void close();
    }
}
