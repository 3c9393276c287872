// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Lifetime;
import dev.spindle.internal.Pool;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinTask;

/**
 * What an executor accepts between its shutdown and its termination, since it follows from what was accepted before: a
 * dependent stage of a future, and a task of the library's own that goes on with accepted work. It takes no place in a
 * bound, for it cannot wait for one.
 */
final class LateTasks {
    private LateTasks() {}

    /** Returns whether {@code task} may be accepted after a shutdown, whatever the state of the executor. */
    static boolean mayBe(Runnable task) {
        return task instanceof InternalTask || isDependentStage(task);
    }

    /**
     * Begins a submit after a shutdown: {@code lifetime}, that of the executor, is then held, to be released when the
     * task has been queued.
     *
     * @return false if the task is refused, and nothing is held
     */
    static boolean begin(Runnable task, Pool pool, Lifetime lifetime) {
        boolean follows = task instanceof InternalTask own ? pool.isWorking() || own.goesOn() : isDependentStage(task);
        return follows && !lifetime.isHalted() && lifetime.hold();
    }

    /** Tells {@code thenApplyAsync} and its like from {@code supplyAsync} and its like, which submit a new task. */
    private static boolean isDependentStage(Runnable task) {
        return task instanceof CompletableFuture.AsynchronousCompletionTask
                && task instanceof ForkJoinTask
                && task.getClass().getSuperclass() != ForkJoinTask.class;
    }
}
