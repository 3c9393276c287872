// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.LaneCore;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler without threads, which runs a ready lane when the caller invokes {@link #drain}. A measurement contains
 * the cost of the lane without queues and wake-ups.
 */
final class DirectScheduler implements Scheduler {
    private final WorkerContext worker = new WorkerContext(this, WorkerContext.QUANTUM_NANOS);
    private @Nullable LaneCore ready;

    /** Binds the worker context to the calling thread, which then runs the turns. */
    void bind() {
        worker.bind();
    }

    void unbind() {
        worker.unbind();
    }

    /** Runs one turn of the lane that became ready last. */
    void drain() {
        LaneCore lane = ready;
        if (lane != null) {
            ready = null;
            lane.turn(worker);
        }
    }

    @Override
    public void ready(Object entry) {
        ready = (LaneCore) entry;
    }

    @Override
    public void readyAgain(ReadyEntry entry) {
        ready = (LaneCore) entry;
    }

    @Override
    public boolean hasReady() {
        return false;
    }

    @Override
    public long recentNanos() {
        return 0;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void failed(@Nullable Object key, Runnable task, Throwable failure) {
        throw new AssertionError("no task of a benchmark fails", failure);
    }
}
