// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.ConcurrentLinkedQueue;

/** A scheduler without threads for model checking: a thread that calls {@link #work} acts as a worker. */
public final class QueueScheduler extends SchedulerStub {
    private final ConcurrentLinkedQueue<Object> ready = new ConcurrentLinkedQueue<>();

    /** Runs one entry as a worker does. Returns false if there is none. */
    public boolean work() {
        Object entry = ready.poll();
        if (entry != null) {
            new WorkerContext(this, Long.MAX_VALUE).execute(entry);
        }
        return entry != null;
    }

    /** Returns the number of ready entries. */
    public int size() {
        return ready.size();
    }

    @Override
    public void ready(Object entry) {
        ready.add(entry);
    }

    @Override
    public boolean hasReady() {
        return !ready.isEmpty();
    }
}
