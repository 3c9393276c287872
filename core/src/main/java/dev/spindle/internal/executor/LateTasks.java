// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinTask;

/**
 * Decides which tasks an executor accepts between its shutdown and its termination: dependent stages of a future, and
 * tasks of the library that continue accepted work. These tasks take no place in a bound, since they cannot wait for a
 * place.
 */
public final class LateTasks {
    private LateTasks() {}

    /** Returns true if {@code task} is of a kind that may be accepted after a shutdown. */
    public static boolean mayBe(Runnable task) {
        return task instanceof InternalTask || isDependentStage(task);
    }

    /**
     * Begins a submit after a shutdown. Holds {@code lifetime}, the lifetime of the executor; the caller releases it
     * when the task has been queued.
     *
     * @return false if the task is refused, and nothing is held
     */
    public static boolean begin(Runnable task, Pool pool, Lifetime lifetime) {
        boolean follows = task instanceof InternalTask own ? pool.isWorking() || own.goesOn() : isDependentStage(task);
        return follows && !lifetime.isHalted() && lifetime.hold();
    }

    /**
     * Returns true for a stage of {@code thenApplyAsync} and the like, false for a new task of {@code supplyAsync} and
     * the like.
     */
    private static boolean isDependentStage(Runnable task) {
        return task instanceof CompletableFuture.AsynchronousCompletionTask
                && task instanceof ForkJoinTask
                && task.getClass().getSuperclass() != ForkJoinTask.class;
    }
}
