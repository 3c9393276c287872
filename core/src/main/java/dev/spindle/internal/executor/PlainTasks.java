// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.InternalTask;
import dev.spindle.internal.Pool;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Submits the plain tasks of a spindle. */
public final class PlainTasks implements BiConsumer<@Nullable Object, Runnable> {
    private final Pool pool;
    private final Lanes lanes;
    private final ExecutorKernel kernel;

    /** Creates an object that submits to the pool of {@code lanes}. */
    public PlainTasks(Lanes lanes) {
        this.lanes = lanes;
        kernel = lanes.kernel();
        pool = kernel.pool();
        kernel.origin().runBy(this);
    }

    /** Runs a stage of a future. A stage is accepted until the termination, and takes no permit. */
    @Override
    public void accept(@Nullable Object none, Runnable stage) {
        if (stage instanceof InternalTask) {
            executeLate(stage);
        } else {
            execute(stage);
        }
    }

    /** Submits {@code task}. */
    public void execute(Runnable task) {
        Headroom.require();
        if (!lanes.isOpen()) {
            executeLate(task);
            return;
        }
        lanes.requireThread(null);
        Runnable entry = kernel.decorated(task);
        Bounds bound = kernel.bounds;
        if (bound != null) {
            try {
                entry = bound.ready(entry, lanes);
            } catch (RejectedExecutionException e) {
                executeAfter(e, task);
                return;
            }
        } else {
            submit(entry);
        }
        // F3
        if (!lanes.isOpen() && pool.remove(entry)) { // the shutdown may have missed the entry
            CancellableEntry.withdraw(entry);
            pool.tryTerminate();
            executeLate(task);
        }
    }

    private void submit(Runnable entry) {
        try {
            pool.ready(entry);
        } catch (Throwable t) { // the task was not accepted
            CancellableEntry.withdraw(entry);
            throw t;
        }
    }

    /**
     * Submits {@code task} again if the rejection is due to a shutdown and the task may be accepted after a shutdown;
     * else throws the rejection.
     */
    private void executeAfter(RejectedExecutionException rejection, Runnable task) {
        if (lanes.isOpen() || !LateTasks.mayBe(task)) {
            throw rejection;
        }
        executeLate(task);
    }

    private void executeLate(Runnable task) {
        if (!LateTasks.begin(task, pool, pool.lifetime())) {
            throw lanes.refused(null, null);
        }
        try {
            lanes.requireThread(null);
            submit(task instanceof InternalTask ? task : kernel.decorated(task));
        } finally {
            pool.lifetime().release();
        }
    }
}
