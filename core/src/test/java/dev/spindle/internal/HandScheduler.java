// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scheduler without threads and clock: a test runs the turns one by one on its own thread. */
public final class HandScheduler extends SchedulerStub {
    public final ArrayDeque<Object> ready = new ArrayDeque<>();
    public final List<Throwable> failures = new ArrayList<>();

    /** True if {@link #hasReady} is to report other ready work. */
    public boolean others;

    public long now;

    /** The number of times an entry was made ready. */
    public int readies;

    /** The number of times this was for another worker than the calling one. */
    public int readiesForOthers;

    @Override
    public void ready(Object entry) {
        readies++;
        ready.add(entry);
    }

    @Override
    public void readyForOthers(ReadyEntry entry) {
        readiesForOthers++;
        ready(entry);
    }

    @Override
    public void readyAgain(ReadyEntry entry, WorkerContext worker) {
        ready.add(entry);
    }

    @Override
    public boolean hasReady() {
        return others || !ready.isEmpty();
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void failed(@Nullable Object key, Runnable task, Throwable failure) {
        failures.add(failure);
    }

    /** Runs one turn of the oldest ready entry. */
    public void turn() {
        new WorkerContext(this, Long.MAX_VALUE).execute(ready.remove());
    }

    /** Runs turns until no entry is ready. */
    public void drain() {
        while (!ready.isEmpty()) {
            turn();
        }
    }
}
