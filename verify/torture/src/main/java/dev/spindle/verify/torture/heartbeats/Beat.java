// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An event that must recur within {@code period} milliseconds. */
final class Beat {
    private final String name;
    private final int period;
    private volatile int count;
    /** The thread that submits the beat's tasks, or null if no thread does. */
    private volatile @Nullable Thread submitter;

    // Used only by the control thread, which calls look().
    private int seen;
    private long seenAt;
    private long[] workThen = {};
    private long nanosThen;

    Beat(String name, int period) {
        this.name = name;
        this.period = period;
    }

    int period() {
        return period;
    }

    /** Records a beat; calls do not overlap. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // calls do not overlap
    void happened() {
        count++;
    }

    int count() {
        return count;
    }

    void drivenBy(Thread thread) {
        submitter = thread;
    }

    @Nullable
    Thread submitter() {
        return submitter;
    }

    /**
     * Checks whether the beat is overdue; called by the control thread.
     *
     * @param held true if the beat is not due, because the thread factory delays a thread that the beat needs
     * @param work the time that each runner has computed, in nanoseconds
     * @return a description of the failure, or null
     */
    @Nullable
    String look(long tick, boolean held, long... work) {
        int now = count;
        if (now != seen || held || seenAt == 0) {
            seen = now;
            seenAt = tick;
            workThen = work.clone();
            nanosThen = System.nanoTime();
            return null;
        }
        long overdue = tick - seenAt - period;
        long[] since = new long[work.length];
        Arrays.setAll(since, i -> work[i] - workThen[i]);
        long worked = Arrays.stream(since).sum();
        boolean starved = overdue > Limits.STARVED_TICKS
                && worked > Limits.STARVED_WORK_NANOS
                && Arrays.stream(since).allMatch(each -> each > 0); // a runner without progress may be suspended
        if (!starved && overdue <= Limits.SILENT_TICKS) {
            return null;
        }
        return name + " of " + period + " ms is overdue by " + overdue + " ms after " + now + " beats, while "
                + worked / 1_000_000 + " ms were computed, in us by runner " + Arrays.toString(micros(since)) + ", of "
                + (System.nanoTime() - nanosThen) / 1_000_000 + " ms of the clock";
    }

    private static long[] micros(long[] nanos) {
        return Arrays.stream(nanos).map(each -> each / 1_000).toArray();
    }

    @Override
    public String toString() {
        return name + "/" + period;
    }
}
