// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters for the statistics. One object is written by one thread at a time, in most cases the worker that it belongs
 * to, and may be read by any thread, racy. So counting costs no more than a write to memory of the thread's own.
 */
public final class Counters {
    /** The counted quantities. */
    public enum What {
        /** Tasks that ended, in any way. */
        COMPLETED(0),
        /** Completed tasks that threw to the failure handler. */
        FAILED(1),
        /** Tasks that began to run. */
        STARTED(2),
        /** Coalescing tasks that a newer one replaced, counted when that one is taken. */
        SUPERSEDED(3),
        /** Entries taken from the run queue of another worker. */
        STOLEN(4),
        /** Times that the worker parked. */
        PARKS(5),
        /** Times that the worker searched for work before it parked. */
        SEARCHES(6),
        /** Messages, values and events that a task has handled, beyond the first. */
        STEPS(7);

        private final int index;

        What(int index) {
            this.index = index;
        }
    }

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SIZE = What.values().length;

    private final long[] counts = new long[SIZE];

    /** Adds to a count; what the caller did before is seen by who sees the count. For the one thread that writes. */
    public void add(What what, long more) {
        COUNT.setRelease(counts, what.index, counts[what.index] + more);
    }

    /** Returns a count. Racy. */
    public long get(What what) {
        return (long) COUNT.getAcquire(counts, what.index);
    }

    /** Adds what {@code worker} has counted. For the one thread that writes. */
    public void addAll(WorkerContext worker) {
        add(What.FAILED, worker.failed());
        add(What.COMPLETED, worker.completed()); // before `started`: it is never the larger one
        add(What.STARTED, worker.started());
    }

    /** Adds all counts of {@code other}. For the one thread that writes. */
    public void addAll(Counters other) {
        for (int i = 0; i < SIZE; i++) {
            COUNT.setRelease(counts, i, counts[i] + (long) COUNT.getAcquire(other.counts, i));
        }
    }
}
