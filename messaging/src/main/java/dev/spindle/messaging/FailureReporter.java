// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import dev.spindle.internal.WorkerContext;

/** Reports exceptions of user code for which no caller waits. */
public final class FailureReporter {
    private FailureReporter() {}

    /** Reports to the spindle's failure handler, or, on a thread that is not a worker, to its own. Never throws. */
    public static void report(Object key, Runnable task, Throwable failure) {
        WorkerContext worker = WorkerContext.current();
        if (worker != null) {
            worker.scheduler().failed(key, task, failure);
            return;
        }
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler uncaught = thread.getUncaughtExceptionHandler();
        try {
            if (uncaught != null) {
                uncaught.uncaughtException(thread, failure);
            }
        } catch (Throwable ignored) {
            // ignored, as the JVM does
        }
    }
}
