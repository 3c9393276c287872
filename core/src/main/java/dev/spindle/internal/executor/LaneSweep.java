// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.timer.Timers;

/** A timer whose turn removes the keys that have been idle for the key keep-alive. */
public final class LaneSweep extends Timers.Timer {
    private final ExecutorKernel kernel;

    /** Creates a sweep over the lanes of {@code kernel}. */
    public LaneSweep(ExecutorKernel kernel) {
        super(kernel.ownTimers());
        this.kernel = kernel;
    }

    @Override
    public void turn(WorkerContext r) {
        if (!kernel.table().sweep()) {
            kernel.pool().ready(this); // the sweep continues after other ready work
        }
    }
}
