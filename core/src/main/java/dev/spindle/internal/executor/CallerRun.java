// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import org.jspecify.annotations.Nullable;

/** A task that its submitter is running on its own thread, possibly nested in another such task. */
final class CallerRun {
    private static final ThreadLocal<@Nullable CallerRun> CURRENT = new ThreadLocal<>();

    private final LogicalExecutor executor;
    private final @Nullable CallerRun outer;

    private CallerRun(LogicalExecutor executor, @Nullable CallerRun outer) {
        this.executor = executor;
        this.outer = outer;
    }

    /** Runs {@code action}, which runs a task of {@code executor}, on the calling thread. */
    static void run(LogicalExecutor executor, Runnable action) {
        CallerRun outer = CURRENT.get();
        CURRENT.set(new CallerRun(executor, outer));
        try {
            action.run();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }

    /**
     * Returns true if the calling thread is running a task that it submitted to {@code executor}, or to an executor on
     * that spindle.
     */
    static boolean isOf(TaskService executor) {
        CallerRun run = CURRENT.get();
        while (run != null && run.executor != executor && run.executor.spindle() != executor) {
            run = run.outer;
        }
        return run != null;
    }
}
