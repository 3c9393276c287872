// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.jspecify.annotations.Nullable;

/** A scheduler without threads whose clock stands still. A fixture decides about ready entries. */
public abstract class SchedulerStub implements Scheduler {
    /** Creates the stub, for fixtures. */
    protected SchedulerStub() {}

    @Override
    public void readyAgain(ReadyEntry entry, WorkerContext worker) {
        ready(entry);
    }

    @Override
    public boolean hasReady() {
        return false;
    }

    @Override
    public long recentNanos() {
        return nanoTime();
    }

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public void failed(@Nullable Object key, Runnable task, Throwable failure) {
        throw new IllegalStateException("task failed: " + task, failure);
    }
}
