// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.MessageTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Reports failures that no future carries: to the user's handler, or else to the log and the thread's handler. */
final class FailureReport {
    private static final int ROOM = 1 << 20;

    private static volatile System.@Nullable Logger log;

    @SuppressWarnings("unused")
    private static volatile byte @Nullable [] room;

    private final String name;
    private final @Nullable FailureHandler handler;
    private final AtomicLong handlerFailures = new AtomicLong(); // to count needs no memory

    FailureReport(String name, @Nullable FailureHandler handler) {
        this.name = name;
        this.handler = handler;
    }

    /** Finds the log, unless that was done, where it holds up no task. Never throws. */
    static void prepare() {
        if (log != null) {
            return;
        }
        try {
            System.Logger unused = logger();
        } catch (Throwable t) {
            return; // no memory; the next one tries again
        }
    }

    /**
     * Returns the log: to find it takes longer than the first task. Throws rather than begin without memory: a class of
     * the JDK whose initialization finds none can never be used again.
     */
    private static System.Logger logger() {
        System.Logger found = log;
        if (found == null) {
            room = new byte[ROOM]; // a field, so that no compiler leaves it out
            room = null;
            found = System.getLogger(Spindle.class.getName());
            log = found;
        }
        return found;
    }

    /** Reports a task that threw, or that was dropped. Never throws. */
    void task(@Nullable Object key, Runnable task, Throwable failure) {
        Thread.UncaughtExceptionHandler uncaught = null;
        try {
            if (handler != null) {
                Object subject = task instanceof MessageTask of ? of.message() : CancellableEntry.unwrap(task);
                handler.onFailure(key == null ? null : Lanes.label(key), subject, failure);
                return;
            }
            uncaught = uncaughtHandler();
            log(key, task, failure, uncaught == null);
        } catch (Throwable t) {
            handlerFailures.incrementAndGet();
        }
        try {
            if (uncaught != null) {
                uncaught.uncaughtException(Thread.currentThread(), failure);
            }
        } catch (Throwable t) {
            handlerFailures.incrementAndGet();
        }
    }

    /** Reports a task that was dropped to make room, unless its future says so. Never throws. */
    void dropped(@Nullable Object key, Runnable task, String bound) {
        CancellableEntry.withdraw(task);
        CancellableEntry entry = CancellableEntry.of(task);
        if (entry == null || !entry.hasFuture()) {
            task(key, task, new RejectedExecutionException("dropped to make room for a newer task: " + bound));
        }
    }

    /** Logs a failure; with its stack trace if nobody else is told of it. */
    private void log(@Nullable Object key, Runnable task, Throwable failure, boolean alone) {
        String line = "task " + CancellableEntry.unwrap(task) + (key == null ? "" : " of " + Lanes.describe(key))
                + " of spindle " + name + " failed";
        if (alone) {
            logger().log(System.Logger.Level.ERROR, line, failure);
        } else {
            logger().log(System.Logger.Level.ERROR, line + ": " + failure);
        }
    }

    /**
     * Returns who else is told by this thread; null for the JDK's own handler, which would only print a stack trace.
     */
    private static Thread.@Nullable UncaughtExceptionHandler uncaughtHandler() {
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
        if (handler != thread.getThreadGroup() || Thread.getDefaultUncaughtExceptionHandler() != null) {
            return handler;
        }
        for (ThreadGroup group = thread.getThreadGroup(); group != null; group = group.getParent()) {
            if (group.getClass() != ThreadGroup.class) {
                return handler; // which may ask this one
            }
        }
        return null;
    }

    /** Reports a thread that could not be started. Never throws. */
    void thread(Throwable failure) {
        try {
            logger().log(
                            System.Logger.Level.WARNING,
                            "spindle " + name + " could not start a worker thread; it goes on with the threads it has",
                            failure);
        } catch (Throwable t) {
            handlerFailures.incrementAndGet();
        }
    }

    /** Returns how often a handler or a log threw. */
    long handlerFailures() {
        return handlerFailures.get();
    }
}
