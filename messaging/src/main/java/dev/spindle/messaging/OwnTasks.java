// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;

/** Runs callbacks of users, each in its own plain task on the workers of a spindle. */
public final class OwnTasks {
    private OwnTasks() {}

    /** A step that runs user code. */
    public interface Action {
        /**
         * Runs the step.
         *
         * @param own true if the step runs in its own task, so that it may clear the interrupt status of the thread
         */
        void run(boolean own);
    }

    /**
     * Runs {@code action} in a task, before {@code lifetime} ends. If {@code lifetime} has ended, or the pool cannot
     * start a thread, the calling thread runs {@code action}. Called without a lock.
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

    /** Clears an interrupt that user code has left, so that the next user code does not see it (A4). */
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
