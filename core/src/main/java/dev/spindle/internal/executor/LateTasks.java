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
 * tasks of the library that continue accepted work. These tasks take no permit of a bound, since they cannot wait for a
 * permit.
 */
public final class LateTasks {
    private LateTasks() {}

    /** Returns true if {@code task} is of a kind that may be accepted after a shutdown. */
    public static boolean mayBe(Runnable task) {
        return task instanceof InternalTask || isDependentStage(task);
    }

    /**
     * Begins a submit after a shutdown: if {@code task} is accepted, holds {@code lifetime}, the lifetime of the
     * executor. The caller releases the lifetime after it has queued the task. A task of the library is accepted if the
     * caller is a worker of {@code pool} or {@link InternalTask#goesOn} returns true. After a {@code shutdownNow}, no
     * task is accepted.
     *
     * @return false, without a hold, if the task is refused
     */
    public static boolean begin(Runnable task, Pool pool, Lifetime lifetime) {
        boolean follows = task instanceof InternalTask own ? pool.isWorking() || own.goesOn() : isDependentStage(task);
        return follows && !lifetime.isHalted() && lifetime.hold();
    }

    /**
     * Returns true for a dependent stage, such as that of {@code thenApplyAsync}, and false for a new task, such as
     * that of {@code supplyAsync}.
     */
    private static boolean isDependentStage(Runnable task) {
        return task instanceof CompletableFuture.AsynchronousCompletionTask
                && task instanceof ForkJoinTask
                && task.getClass().getSuperclass() != ForkJoinTask.class;
    }
}
