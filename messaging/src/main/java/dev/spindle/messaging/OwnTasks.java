// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;

/** Runs code of users for which no caller waits, each time in a plain task of its own on the workers of a spindle. */
public final class OwnTasks {
    private OwnTasks() {}

    /** What runs code of users. */
    public interface Action {
        /**
         * Runs it.
         *
         * @param own whether this is a task of its own, so that no caller has to find the thread unchanged
         */
        void run(boolean own);
    }

    /**
     * Runs {@code action} soon, before {@code lifetime} ends; in the calling thread where that has ended, and where
     * there is no thread or no memory for a task. Never called under a lock or inside a half-done step.
     */
    public static void run(Pool pool, Lifetime lifetime, Action action) {
        if (!lifetime.hold()) {
            action.run(false);
            return;
        }
        boolean queued = false;
        try {
            if (pool.ensureThread()) {
                pool.ready(new Task(lifetime, action));
                queued = true;
            }
        } catch (OutOfMemoryError e) {
            // it must not get lost
        }
        if (!queued) {
            try {
                action.run(false);
            } finally {
                lifetime.release();
            }
        }
    }

    /** Has the next piece of code of users begin without the interrupts that the last one has left (A4). */
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
