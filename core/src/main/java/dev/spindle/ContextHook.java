// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Carries a context (a trace, a tenant, logging fields) from the submitting thread to the thread that runs the task.
 * Implementations must be thread-safe.
 *
 * <p>If a coalescing task is superseded, its context is dropped with it: the task that runs has the context of its own
 * submit.
 */
public interface ContextHook {
    /**
     * Returns the context of the calling thread. The submitting thread calls this; an exception reaches the submitter.
     */
    @Nullable
    Object capture();

    /**
     * Makes {@code captured} the context of the calling worker, until the returned scope is closed after the task. If
     * it throws, the task fails with that exception and does not run.
     */
    Scope restore(@Nullable Object captured);

    /**
     * Captures the context of the calling thread for code that runs later and in pieces, such as the attempts of one
     * call. The returned executor runs each action at once, on the calling thread and in the captured context;
     * exceptions of the action and of {@link #restore} reach that thread. Without a hook it only runs the actions.
     *
     * @param spindle the executor whose hook is used
     */
    static Executor capture(Spindle spindle) {
        ContextHook hook = spindle.context();
        if (hook == null) {
            return Runnable::run;
        }
        Object captured = hook.capture();
        return action -> {
            Scope scope = hook.restore(captured);
            try {
                action.run();
            } finally {
                scope.close();
            }
        };
    }

    /** The validity of a restored context. */
    interface Scope extends AutoCloseable {
        /** Restores the previous context. */
        @Override
        void close();
    }
}
