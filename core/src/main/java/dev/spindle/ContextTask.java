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

    /** Completes the future, if there is one, with what the hook throws, as with what the task throws. */
    @Override
    public void run() {
        try {
            ContextHook.Scope scope = hook.restore(captured);
            try {
                task.run();
            } finally {
                scope.close();
            }
        } catch (Throwable t) {
            if (!fail(t)) {
                throw t;
            }
        }
    }

    @Override
    public boolean fail(Throwable thrown) {
        CancellableEntry entry = CancellableEntry.of(task);
        return entry != null && entry.fail(thrown);
    }

    @Override
    public boolean hasFuture() {
        CancellableEntry entry = CancellableEntry.of(task);
        return entry != null && entry.hasFuture();
    }

    @Override
    public boolean isDelayed() {
        CancellableEntry entry = CancellableEntry.of(task);
        return entry != null && entry.isDelayed();
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
