// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.concurrent.Executor;
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

    /**
     * Captures the context of the calling thread for code that runs later and in pieces, such as the attempts of one
     * call. Each action that is handed to the executor that is returned runs at once, in the thread that hands it over,
     * with that context in force; what it throws, and what {@link #restore} throws, reaches that thread. Without a hook
     * the actions just run.
     *
     * @param spindle the executor whose hook is asked
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

    /** A context in force. */
    interface Scope extends AutoCloseable {
        /** Puts back what was in force before. */
        @Override
        void close();
    }
}
