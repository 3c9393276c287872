// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters for the statistics. At most one thread at a time, usually a worker, writes an instance. Any thread may read
 * the counts at any time, and may read slightly old values.
 */
public final class Counters {
    /** The counted quantities. */
    public enum What {
        /** Tasks that ended, in any way. */
        COMPLETED(0),
        /** Tasks whose exception went to the failure handler. */
        FAILED(1),
        /** Tasks that began to run. */
        STARTED(2),
        /** Coalescing tasks that were replaced by a newer task, counted when the newer task is taken. */
        SUPERSEDED(3),
        /** Entries taken from the run queue of another worker. */
        STOLEN(4),
        /** Entries that run no task, and messages, values and events that a task handles after its first. */
        STEPS(5);

        private final int index;

        What(int index) {
            this.index = index;
        }
    }

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SIZE = What.values().length;

    private final long[] counts = new long[SIZE];

    /** Adds to a count, with release semantics. Called only by the writing thread. */
    public void add(What what, long more) {
        COUNT.setRelease(counts, what.index, counts[what.index] + more);
    }

    /** Returns a count, with acquire semantics. */
    public long get(What what) {
        return (long) COUNT.getAcquire(counts, what.index);
    }

    /** Adds the counts of tasks of {@code worker}. Called only by the writing thread. */
    public void addAll(WorkerContext worker) {
        add(What.FAILED, worker.failed());
        add(What.COMPLETED, worker.completed()); // read before started(), so that COMPLETED never exceeds STARTED
        add(What.STARTED, worker.started());
    }

    /** Adds all counts of {@code other}. Called only by the writing thread. */
    public void addAll(Counters other) {
        for (int i = 0; i < SIZE; i++) {
            COUNT.setRelease(counts, i, counts[i] + (long) COUNT.getAcquire(other.counts, i));
        }
    }
}
