// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;

/** Runs callbacks of users for which no caller waits, each in a plain task of its own on the workers of a spindle. */
public final class OwnTasks {
    private OwnTasks() {}

    /** A step that runs user code. */
    public interface Action {
        /**
         * Runs the step.
         *
         * @param own true if the step has a task of its own, so that it may change the interrupt status of the thread
         */
        void run(boolean own);
    }

    /**
     * Runs {@code action} in a task, before {@code lifetime} ends; in the calling thread if the lifetime has ended, or
     * if there is no thread. Never called under a lock or inside a half-done step.
     */
    public static void run(Pool pool, Lifetime lifetime, Action action) {
        if (!lifetime.hold()) {
            action.run(false);
            return;
        }
        if (pool.ensureThread()) {
            pool.ready(new Task(lifetime, action));
            return;
        }
        try {
            action.run(false);
        } finally {
            lifetime.release();
        }
    }

    /** Clears an interrupt that user code has left, before other user code runs (A4). */
    public static void clearInterrupt(boolean own) {
        if (own) {
            boolean unused = Thread.interrupted();
        }
    }

    private static final class Task extends InternalTask {
        private final Lifetime lifetime;
        private final Action action;

        Task(Lifetime lifetime, Action action) {
            this.lifetime = lifetime;
            this.action = action;
        }

        @Override
        public void run() {
            try {
                action.run(true);
            } finally {
                lifetime.release();
            }
        }

        @Override
        public String toString() {
            return "callback of a pipeline, coalescer or channel";
        }
    }
}
