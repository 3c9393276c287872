// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolLookup;
import dev.spindle.internal.WaitSource;
import dev.spindle.internal.WorkerContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Runs code of users for which nobody waits, above all by completing their stages: each time in a plain task of its own
 * on the spindle. So a callback that blocks holds up a worker, which another one stands in for, and neither a stage,
 * nor a sender, nor another callback. Never called under a lock or inside a half-done step.
 */
final class Callbacks {
    private final @Nullable ExecutorService executor;
    private final @Nullable Pool pool;

    /** What runs code of users. */
    interface Action {
        /** @param own whether this is the task of its own, so that no caller has to find the thread unchanged */
        void run(boolean own);
    }

    /** @param executor a spindle or strand on whose threads to run; null: in the calling thread */
    Callbacks(@Nullable ExecutorService executor) {
        this.executor = executor;
        pool = executor == null ? null : PoolLookup.of(executor);
    }

    /** Has the spindle ask {@code source} who waits, as long as somebody else refers to that. */
    void register(WaitSource source) {
        if (pool != null) {
            pool.waits().add(source);
        }
    }

    /** Returns a reading of the spindle's clock. */
    long nanoTime() {
        return pool == null ? 0 : pool.nanoTime();
    }

    /**
     * Runs {@code action} soon; in the calling thread where there is no thread or no memory for it, and, if that is no
     * worker, when the executor was shut down: the pool may have ended before it sees what comes now.
     */
    void run(Action action) {
        Pool on = pool;
        if (on != null && !isShutdown(on)) {
            try {
                Task task = new Task(action);
                if (on.ensureThread()) {
                    on.ready(task);
                    if (!isTooLate(on, task)) {
                        return;
                    }
                }
            } catch (OutOfMemoryError e) {
                // it is not queued, but must not get lost
            }
        }
        action.run(false);
    }

    /** Has the next piece of code of users begin without the interrupts that the last one has left (A4). */
    static void clearInterrupt(boolean own) {
        if (own) {
            boolean unused = Thread.interrupted();
        }
    }

    /**
     * Returns whether the pool may end without coming to what the caller hands in: no worker ends while anything is
     * ready.
     */
    private boolean isShutdown(Pool on) {
        if (executor == null || !executor.isShutdown()) {
            return false;
        }
        WorkerContext worker = WorkerContext.current();
        return worker == null || worker.scheduler() != on;
    }

    /** Takes a task away that the pool may not come to, since a shutdown came in between. */
    private boolean isTooLate(Pool on, Task task) {
        if (!isShutdown(on) || !on.remove(task)) {
            return false;
        }
        on.tryTerminate();
        return true;
    }

    /** Returns a stage of a user's own that completes as {@code internal} does. */
    <T extends @Nullable Object> CompletableFuture<T> stageOf(CompletableFuture<T> internal) {
        CompletableFuture<T> stage = new CompletableFuture<>();
        if (internal.isDone()) {
            copy(internal, stage); // nobody has it yet
        } else {
            CompletableFuture<T> unused = internal.whenComplete((result, failure) -> run(own -> copy(internal, stage)));
        }
        return stage;
    }

    private static <T extends @Nullable Object> void copy(CompletableFuture<T> from, CompletableFuture<T> to) {
        CompletableFuture<T> unused = from.whenComplete((result, failure) -> {
            if (failure == null) {
                to.complete(result);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    private static final class Task extends InternalTask {
        private final Action action;

        Task(Action action) {
            this.action = action;
        }

        @Override
        public void run() {
            action.run(true);
        }

        @Override
        public String toString() {
            return "callback of a pipeline or coalescer";
        }
    }
}
