// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.WorkerContext;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** The implementation of {@code ExecutorService.close()} as JDK 19 defines it, on every JDK. */
public final class ExecutorCloser {
    private ExecutorCloser() {}

    /**
     * Closes {@code executor}.
     *
     * @param own true if the caller is a task of the executor
     * @throws IllegalStateException if {@code own} is true
     */
    public static void close(ExecutorService executor, String name, boolean own) {
        if (own) {
            throw new IllegalStateException(
                    name + " cannot be closed by a task of its own, which would wait for itself;"
                            + " call shutdown() instead");
        }
        WorkerContext worker = WorkerContext.current(); // null if the caller is not a worker
        try {
            if (worker != null) {
                worker.beginBlocking();
            }
            close(executor);
        } finally {
            if (worker != null) {
                worker.endBlocking();
            }
        }
    }

    private static void close(ExecutorService executor) {
        boolean terminated = executor.isTerminated();
        if (terminated) {
            return;
        }
        executor.shutdown();
        boolean interrupted = false;
        while (!terminated) {
            try {
                terminated = executor.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                if (!interrupted) {
                    executor.shutdownNow();
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
