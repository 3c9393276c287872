// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A scheduler without threads for model checking: whoever calls {@link #work} is a worker. */
public final class QueueScheduler implements Scheduler {
    private final ConcurrentLinkedQueue<Object> ready = new ConcurrentLinkedQueue<>();

    /** Does what a worker does with one entry; false when there is none. */
    public boolean work() {
        Object entry = ready.poll();
        if (entry != null) {
            new WorkerContext(this, Long.MAX_VALUE).execute(entry);
        }
        return entry != null;
    }

    @Override
    public void ready(Object entry) {
        ready.add(entry);
    }

    @Override
    public void readyAgain(ReadyEntry entry) {
        ready.add(entry);
    }

    @Override
    public boolean hasReady() {
        return !ready.isEmpty();
    }

    @Override
    public long recentNanos() {
        return 0;
    }

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public void failed(@Nullable Object key, Runnable task, Throwable failure) {
        throw new IllegalStateException(failure);
    }
}
