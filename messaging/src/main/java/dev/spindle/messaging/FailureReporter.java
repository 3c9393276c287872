// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import dev.spindle.internal.WorkerContext;

/** Reports exceptions of user code that no caller receives. */
public final class FailureReporter {
    private FailureReporter() {}

    /**
     * Reports to the failure handler of the spindle if the caller is a worker, else to the uncaught-exception handler
     * of the calling thread. Never throws.
     *
     * @param party the part of the library that called the user code
     */
    public static void report(Object party, Runnable task, Throwable failure) {
        WorkerContext worker = WorkerContext.current();
        if (worker != null) {
            worker.scheduler().failed(party, task, failure);
            return;
        }
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler uncaught = thread.getUncaughtExceptionHandler();
        try {
            if (uncaught != null) {
                uncaught.uncaughtException(thread, failure);
            }
        } catch (Throwable ignored) {
            // ignored, as the JVM ignores exceptions of this handler
        }
    }
}
