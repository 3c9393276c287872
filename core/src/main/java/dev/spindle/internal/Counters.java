// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

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

    /** The number of buckets of measured times. */
    public static final int BUCKETS = 168;

    /** The index of the sum of the measured times, in nanoseconds, after the buckets. */
    public static final int TOTAL = BUCKETS;

    /** The length of an array of measured times. */
    public static final int TIMES = BUCKETS + 1;

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SIZE = What.values().length;

    private final long[] counts = new long[SIZE];
    private long @Nullable [] runTimes; // plain: a reader may miss the last sample of another thread

    /**
     * Returns the index of the bucket that counts a time. There are four buckets for each power of two, from 0 to
     * 2<sup>42</sup> ns, and the last also counts longer times.
     */
    public static int bucket(long nanos) {
        if (nanos < 4) {
            return (int) Math.max(0, nanos);
        }
        int power = 63 - Long.numberOfLeadingZeros(nanos);
        return power > 42 ? BUCKETS - 1 : Math.min(BUCKETS - 1, (power - 1) * 4 + (int) ((nanos >>> (power - 2)) & 3));
    }

    /** Returns the shortest time, in nanoseconds, that the bucket counts. */
    public static long least(int bucket) {
        return bucket < 4 ? bucket : (4L + (bucket & 3)) << ((bucket >> 2) - 1);
    }

    /** Adds a time that was measured to {@code times}, an array of {@link #TIMES} counts. */
    static void addTime(long[] times, long nanos) {
        times[bucket(nanos)]++;
        times[TOTAL] += Math.max(0, nanos);
    }

    private void addRunTimes(long @Nullable [] more) {
        if (more == null) {
            return;
        }
        long[] sum = runTimes;
        if (sum == null) {
            sum = new long[TIMES];
            runTimes = sum;
        }
        for (int i = 0; i < TIMES; i++) {
            sum[i] += more[i];
        }
    }

    /** Returns the measured run times, in buckets; empty if there are none. */
    public long[] runTimes() {
        return runTimes == null ? new long[0] : runTimes;
    }

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
        addRunTimes(worker.runTimes());
    }

    /** Adds all counts of {@code other}. Called only by the writing thread. */
    public void addAll(Counters other) {
        for (int i = 0; i < SIZE; i++) {
            COUNT.setRelease(counts, i, counts[i] + (long) COUNT.getAcquire(other.counts, i));
        }
        addRunTimes(other.runTimes);
    }
}
