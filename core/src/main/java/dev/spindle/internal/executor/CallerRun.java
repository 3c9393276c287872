// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Interrupts;
import dev.spindle.internal.Pool;
import dev.spindle.internal.jfr.JfrEvents;
import java.util.concurrent.atomic.AtomicLong;
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

    /** Runs tasks of one executor on the threads that submitted them, and counts them. Thread-safe. */
    public static final class Counts {
        private final AtomicLong begun = new AtomicLong();
        private final AtomicLong ended = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();

        /** Runs {@code task} as a worker does, and passes a throwable of the task to {@code pool}. */
        public void run(Pool pool, String executor, Runnable task) {
            begun.incrementAndGet();
            boolean interrupted = Thread.interrupted(); // a task begins with a clear interrupt flag
            try {
                JfrEvents.runByCaller(pool.name(), executor, task);
            } catch (Throwable t) {
                failed.incrementAndGet();
                pool.failed(null, task, t);
            }
            if (interrupted) {
                Interrupts.sendAndReport(Thread.currentThread());
            }
            ended.incrementAndGet();
        }

        /** Returns the number of tasks that have ended. */
        public long ended() {
            return ended.get();
        }

        /** Returns the number of tasks that run, if {@code ended} have ended. */
        public int running(long ended) {
            return (int) Math.max(0, begun.get() - ended);
        }

        /** Returns the number of tasks that have ended with an exception. */
        public long failed() {
            return failed.get();
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
