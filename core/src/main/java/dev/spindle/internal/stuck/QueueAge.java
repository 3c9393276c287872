// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stuck;

/**
 * The wait of the oldest task of a logical executor, found without a clock reading in a submit. Each look may mark the
 * end of the queue. A task before a mark that is still in the queue has waited at least since the mark was made. Used
 * by one thread.
 */
final class QueueAge {
    /** The number of marks. One is made at most every quarter of the limit, so at least two are older. Not measured. */
    private static final int MARKS = 7;

    private final long limit;
    private final long[] ends = new long[MARKS];
    private final long[] times = new long[MARKS];
    private int size;
    private long completed = -1;
    private long endedAt;

    /** Creates an age without marks; {@code limit} is the wait in nanoseconds above which work is stuck. */
    QueueAge(long limit) {
        this.limit = limit;
    }

    /**
     * Returns how long the oldest task has waited, in nanoseconds; at most a quarter of the limit and the time between
     * two looks too short.
     *
     * @param begin the position of the oldest task of the queue
     * @param end the position behind the newest task
     */
    long look(long begin, long end, long now) {
        int passed = 0;
        while (passed < size && ends[passed] <= begin) { // all tasks before the mark have left the queue
            passed++;
        }
        remove(0, passed);
        if (size == 0 || (ends[size - 1] < end && now - times[size - 1] >= limit / 4)) {
            if (size == MARKS) {
                remove(1, 1); // the next mark is older than the limit, too
            }
            ends[size] = end;
            times[size] = now;
            size++;
        }
        return now - times[0];
    }

    private void remove(int index, int count) {
        int behind = size - index - count;
        System.arraycopy(ends, index + count, ends, index, behind);
        System.arraycopy(times, index + count, times, index, behind);
        size -= count;
    }

    /** Returns whether no task has ended for {@code time}; {@code ended} is the number of tasks that have ended. */
    boolean isStill(long ended, long now, long time) {
        if (ended != completed) {
            completed = ended;
            endedAt = now;
        }
        return now - endedAt >= time;
    }
}
