// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import org.jspecify.annotations.Nullable;

/** A task that runs on the thread that submitted it, possibly nested in another such task. */
public final class CallerRun {
    private static final ThreadLocal<@Nullable CallerRun> CURRENT = new ThreadLocal<>();

    private final Object executor;
    private final String name;
    private final Object spindle;
    private final @Nullable CallerRun outer;

    private CallerRun(Object executor, String name, Object spindle, @Nullable CallerRun outer) {
        this.executor = executor;
        this.name = name;
        this.spindle = spindle;
        this.outer = outer;
    }

    /** Runs {@code action}, which runs a task of {@code executor}, a logical executor of {@code spindle}. */
    public static void run(Object executor, String name, Object spindle, Runnable action) {
        CallerRun outer = CURRENT.get();
        CURRENT.set(new CallerRun(executor, name, spindle, outer));
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

    /** Returns the name of the executor if the calling thread runs a task that it submitted, else null. */
    static @Nullable String executor() {
        CallerRun run = CURRENT.get();
        return run == null ? null : run.name;
    }

    /**
     * Returns true if the calling thread runs a task that it submitted to {@code executor} or, if {@code executor} is a
     * spindle, to one of its logical executors.
     */
    public static boolean isOf(Object executor) {
        CallerRun run = CURRENT.get();
        while (run != null && run.executor != executor && run.spindle != executor) {
            run = run.outer;
        }
        return run != null;
    }
}
