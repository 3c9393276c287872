// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Accepted;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Where failures that no future carries are told: to the user's handler, or else to the log and the thread's handler. */
final class FailureReport {
    private static final System.Logger LOG = System.getLogger(Spindle.class.getName());

    private final String name;
    private final @Nullable FailureHandler handler;
    private final AtomicLong handlerFailures = new AtomicLong(); // to count needs no memory

    FailureReport(String name, @Nullable FailureHandler handler) {
        this.name = name;
        this.handler = handler;
    }

    /** Tells of a task that threw, or that was dropped. Never throws. */
    void task(@Nullable Object key, Runnable task, Throwable failure) {
        try {
            Object label = key == null ? null : Lanes.label(key);
            Runnable user = Accepted.unwrap(task);
            if (handler != null) {
                handler.onFailure(label, user, failure);
                return;
            }
            Thread thread = Thread.currentThread();
            LOG.log(
                    System.Logger.Level.ERROR,
                    () -> "task " + user + (key == null ? "" : " of " + Lanes.describe(key)) + " of spindle " + name
                            + " failed",
                    failure);
            Thread.UncaughtExceptionHandler uncaught = thread.getUncaughtExceptionHandler();
            if (uncaught != null) {
                uncaught.uncaughtException(thread, failure);
            }
        } catch (Throwable t) {
            handlerFailures.incrementAndGet();
        }
    }

    /** Tells of a thread that could not be started. Never throws. */
    void thread(Throwable failure) {
        try {
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> "spindle " + name + " could not start a worker thread; it goes on with the threads it has",
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
