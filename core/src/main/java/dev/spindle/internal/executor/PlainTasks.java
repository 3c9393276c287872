// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Pool;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Submits the plain tasks of a spindle. */
public final class PlainTasks {
    private final Pool pool;
    private final Lanes lanes;
    private final ExecutorKernel kernel;
    private final @Nullable Bounds bounds;

    /** Creates an object that submits to the pool of {@code lanes}. */
    public PlainTasks(Lanes lanes) {
        this.lanes = lanes;
        kernel = lanes.kernel();
        pool = kernel.pool();
        bounds = kernel.bounds();
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
        if (bounds != null) {
            try {
                entry = bounds.ready(entry, lanes);
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
            submit(kernel.decorated(task));
        } finally {
            pool.lifetime().release();
        }
    }
}
