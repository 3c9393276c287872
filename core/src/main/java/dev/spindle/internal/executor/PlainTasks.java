// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.CancellableEntry;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Pool;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Submits the plain tasks of a spindle. */
final class PlainTasks {
    private final Spindle spindle;
    private final Pool pool;
    private final Lanes lanes;
    private final @Nullable ContextHook context;
    private final @Nullable Bounds bounds;

    PlainTasks(Spindle spindle, Pool pool, Lanes lanes, @Nullable ContextHook context, @Nullable Bounds bounds) {
        this.spindle = spindle;
        this.pool = pool;
        this.lanes = lanes;
        this.context = context;
        this.bounds = bounds;
    }

    void execute(Runnable task) {
        Headroom.require();
        if (!lanes.isOpen()) {
            executeLate(task);
            return;
        }
        lanes.requireThread(null);
        Runnable entry = context == null ? task : ContextTask.of(context, task);
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
        if (!lanes.isOpen() && pool.remove(entry)) { // the shutdown may have missed it
            CancellableEntry.withdraw(entry);
            pool.tryTerminate();
            executeLate(task);
        }
    }

    private void submit(Runnable entry) {
        try {
            pool.ready(entry);
        } catch (Throwable t) { // for want of memory
            CancellableEntry.withdraw(entry);
            throw t;
        }
    }

    /** Continues after a rejection, which may be due to a shutdown. */
    private void executeAfter(RejectedExecutionException rejection, Runnable task) {
        if (lanes.isOpen() || !LateTasks.mayBe(task)) {
            throw rejection;
        }
        executeLate(task);
    }

    private void executeLate(Runnable task) {
        if (!LateTasks.begin(task, pool, pool.lifetime())) {
            throw spindle.rejected(null, null);
        }
        try {
            lanes.requireThread(null);
            submit(context == null ? task : ContextTask.of(context, task));
        } finally {
            pool.lifetime().release();
        }
    }
}
