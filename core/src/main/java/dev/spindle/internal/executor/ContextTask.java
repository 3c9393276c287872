// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.WorkerContext;
import java.util.function.UnaryOperator;

/** A task that runs in the context of its submitter. */
final class ContextTask implements CancellableEntry.Wrapper {
    private final HandedContext context;
    private final Runnable task;

    /** Returns {@code task} with the context of the calling thread. */
    static Runnable of(UnaryOperator<Runnable> decorator, Runnable task) {
        return new ContextTask(HandedContext.capture(decorator), task);
    }

    private ContextTask(HandedContext context, Runnable task) {
        this.context = context;
        this.task = task;
    }

    /**
     * Runs the task in its context. A worker reports a throwable of the task in the same context. If the decorator's
     * runnable throws, or does not run the task, the task's future, if any, fails with that throwable.
     */
    @Override
    public void run() {
        try {
            if (CallerRun.executor() == null) {
                context.run(() -> WorkerContext.runReporting(this, task));
            } else {
                context.run(task::run); // the submitter reports the failure, as that of a task of the executor
            }
        } catch (Throwable t) {
            if (!fail(t)) {
                throw t;
            }
        }
    }

    @Override
    public Runnable inner() {
        return task;
    }
}
