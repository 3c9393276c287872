// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.ContextHook;
import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.ContextCarrier;
import dev.spindle.internal.WorkerContext;
import org.jspecify.annotations.Nullable;

/** A task that runs in the context of its submitter. */
public final class ContextTask implements CancellableEntry.Wrapper {
    private final ContextHook hook;
    private final @Nullable Object captured;
    private final Runnable task;

    /** Returns {@code task} with the context of the calling thread, or {@code task} itself if there is no hook. */
    public static Runnable of(@Nullable ContextHook hook, Runnable task) {
        return hook == null ? task : new ContextTask(hook, task);
    }

    private ContextTask(ContextHook hook, Runnable task) {
        this.hook = hook;
        this.task = task;
        captured = hook.capture();
    }

    /** Runs the task in its context. If the hook throws, the task's future, if any, fails with that throwable. */
    @Override
    public void run() {
        try {
            ContextHook.Scope scope = hook.restore(captured);
            try {
                task.run();
            } finally {
                WorkerContext.clearInterruptOfWorker();
                scope.close();
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

    /** Adapts the hook for parts of the library that run user code outside tasks. */
    public record Carrier(ContextHook hook) implements ContextCarrier {
        @Override
        public @Nullable Object capture() {
            return hook.capture();
        }

        @Override
        public Runnable restore(@Nullable Object captured) {
            return hook.restore(captured)::close;
        }
    }
}
