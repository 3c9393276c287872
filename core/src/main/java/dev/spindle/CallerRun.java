// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A task that the thread which submitted it runs now, perhaps inside another such task. */
final class CallerRun {
    private static final ThreadLocal<@Nullable CallerRun> CURRENT = new ThreadLocal<>();

    private final LogicalExecutor executor;
    private final @Nullable CallerRun outer;

    private CallerRun(LogicalExecutor executor, @Nullable CallerRun outer) {
        this.executor = executor;
        this.outer = outer;
    }

    /** Does {@code action}, which runs a task of {@code executor}, on the calling thread. */
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

    /** Returns whether the calling thread runs a task of an executor that {@code which} accepts itself. */
    static boolean isOf(Predicate<LogicalExecutor> which) {
        CallerRun run = CURRENT.get();
        while (run != null && !which.test(run.executor)) {
            run = run.outer;
        }
        return run != null;
    }
}
