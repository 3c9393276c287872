// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.Pool;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.timer.Timers;

/** A timer whose turn removes the keys that have been idle for the key keep-alive. */
public final class LaneSweep extends Timers.Timer {
    private final ExecutorKernel kernel;

    private LaneSweep(ExecutorKernel kernel) {
        super(kernel.ownTimers());
        this.kernel = kernel;
    }

    /** Schedules a sweep over the lanes of {@code kernel}, after {@code nanos}. */
    public static void schedule(ExecutorKernel kernel, long nanos) {
        Pool pool = kernel.pool();
        boolean unused = kernel.timers().add(new LaneSweep(kernel), pool.nanoTime() + nanos, pool);
    }

    @Override
    public void turn(WorkerContext r) {
        if (!kernel.table().sweep()) {
            kernel.pool().ready(this); // the sweep continues after other ready work
        }
    }
}
