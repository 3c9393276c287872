// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CancellableEntry;
import org.jspecify.annotations.Nullable;

/** A task with the context of its submitter. */
final class ContextTask implements CancellableEntry {
    private final ContextHook hook;
    private final @Nullable Object captured;
    private final Runnable task;

    ContextTask(ContextHook hook, Runnable task) {
        this.hook = hook;
        this.task = task;
        captured = hook.capture();
    }

    @Override
    public void run() {
        if (task instanceof TaskFuture<?> future) {
            runFuture(future);
            return;
        }
        ContextHook.Scope scope = hook.restore(captured);
        try {
            task.run();
        } finally {
            scope.close();
        }
    }

    /** Completes the future with what the hook throws, as with what the task throws. */
    private void runFuture(TaskFuture<?> future) {
        try {
            ContextHook.Scope scope = hook.restore(captured);
            try {
                future.run();
            } finally {
                scope.close();
            }
        } catch (Throwable t) {
            future.completeExceptionally(t);
        }
    }

    boolean isFuture() {
        return task instanceof TaskFuture<?>;
    }

    boolean isDelayed() {
        return task instanceof DelayedTask<?>;
    }

    @Override
    public Runnable userTask() {
        return CancellableEntry.unwrap(task);
    }

    @Override
    public Object origin() {
        return CancellableEntry.origin(task);
    }

    @Override
    public void withdrawn() {
        CancellableEntry.withdraw(task);
    }
}
