// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import org.jspecify.annotations.Nullable;

/** Something that has to happen again and again, at the latest so many milliseconds after the last time. */
final class Beat {
    private final String name;
    private final int period;
    private volatile int count;
    /** A thread outside that waits for something of ours, and so makes no beat due. */
    private volatile @Nullable Thread submitter;

    // Of the control thread.
    private int seen;
    private long seenAt;
    private long workThen;

    Beat(String name, int period) {
        this.name = name;
        this.period = period;
    }

    int period() {
        return period;
    }

    /** Notes that it has happened; by one thread at a time. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time, each after the one before
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
     * Looks at it at a time; for the control thread.
     *
     * @param work what the runners have computed so far, in nanoseconds
     * @param held whether it waits for something that is allowed to be slow
     * @return what is wrong, or null
     */
    @Nullable
    String look(long tick, long work, boolean held) {
        int now = count;
        if (now != seen || held || seenAt == 0) {
            seen = now;
            seenAt = tick;
            workThen = work;
            return null;
        }
        long overdue = tick - seenAt - period;
        long worked = work - workThen;
        boolean starved = overdue > Limits.STARVED_TICKS && worked > Limits.STARVED_WORK_NANOS;
        if (!starved && overdue <= Limits.SILENT_TICKS) {
            return null;
        }
        return name + " of " + period + " ms is overdue by " + overdue + " ms after " + now + " beats, while "
                + worked / 1_000_000 + " ms were computed";
    }

    @Override
    public String toString() {
        return name + "/" + period;
    }
}
