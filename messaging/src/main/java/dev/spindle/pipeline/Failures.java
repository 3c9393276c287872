// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.Runner;

/** Tells of what user code threw where nobody waits for it. */
final class Failures {
    private Failures() {}

    /** Tells the spindle's failure handler; on a thread that is no worker, that thread's. Never throws. */
    static void report(Object key, Runnable task, Throwable failure) {
        Runner runner = Runner.current();
        if (runner != null) {
            runner.scheduler().failed(key, task, failure);
            return;
        }
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler uncaught = thread.getUncaughtExceptionHandler();
        try {
            if (uncaught != null) {
                uncaught.uncaughtException(thread, failure);
            }
        } catch (Throwable ignored) {
            // as the JVM does
        }
    }
}
