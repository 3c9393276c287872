// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import dev.spindle.internal.LaneName;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * One pass over all lanes of a spindle: the sums, and the lanes that are first by age and by depth. A lane that has
 * nothing to do costs no allocation. Used by one thread.
 */
final class KeyPass implements PoolConfig.LaneReader {
    /** The number of lanes that are kept by age; as many as the page can list as stuck. Not measured. */
    static final int MOST_OLD = 64;

    /** The number of rows that the page lists by depth. Not measured. */
    static final int MOST_DEEP = 8;

    private final long now;
    private final long limitMillis;
    private final PriorityQueue<Row> old = new PriorityQueue<>(Comparator.comparingLong(Row::longestMillis));
    private final PriorityQueue<Row> deep = new PriorityQueue<>(Comparator.comparingInt(Row::pending));
    private int live;
    private int busy;
    private long waiting;
    private int async;
    private int paused;
    private int stuckAsync;

    /**
     * A lane that has something to do.
     *
     * @param waitMillis the wait of the oldest task, or 0
     * @param runMillis the age of the running task, or 0
     * @param asyncMillis the age of the open async task, or 0
     */
    record Row(
            LaneName lane,
            int pending,
            long waitMillis,
            long runMillis,
            long asyncMillis,
            boolean isAsync,
            boolean isPaused,
            @Nullable Thread thread) {
        long longestMillis() {
            return Math.max(waitMillis, Math.max(runMillis, asyncMillis));
        }

        boolean isIdle() {
            return pending == 0 && thread == null && !isAsync && !isPaused;
        }

        /** Writes this row as the page reads it. */
        void write(Json json, Names names) {
            json.array()
                    .value(lane.spaceName())
                    .value(names.of(lane))
                    .value(Names.kind(lane))
                    .value(pending)
                    .value(waitMillis)
                    .value(runMillis)
                    .value(asyncMillis)
                    .value(isPaused)
                    .value(thread == null ? 0 : thread.getId())
                    .endArray();
        }
    }

    /**
     * Creates an empty pass.
     *
     * @param now the time by the clock of the pool
     * @param limitMillis the age at which a lane is stuck
     */
    KeyPass(long now, long limitMillis) {
        this.now = now;
        this.limitMillis = limitMillis;
    }

    /** Returns the row of a lane as {@code readLanes} passes it. */
    static Row row(
            long now,
            LaneName lane,
            int pending,
            int waitMillis,
            @Nullable WorkerContext worker,
            long asyncMillis,
            boolean isPaused) {
        WorkerContext running = worker != null && worker.runsTask() ? worker : null;
        return new Row(
                lane,
                pending,
                waitMillis,
                running == null ? 0 : Math.max(0, (now - running.now()) / 1_000_000),
                Math.max(0, asyncMillis),
                asyncMillis >= 0,
                isPaused,
                running == null ? null : running.thread());
    }

    @Override
    public void lane(
            LaneName lane,
            int pending,
            int waitMillis,
            @Nullable WorkerContext worker,
            long asyncMillis,
            boolean isPaused) {
        live++;
        if (pending == 0 && worker == null && asyncMillis < 0 && !isPaused) {
            return;
        }
        Row row = row(now, lane, pending, waitMillis, worker, asyncMillis, isPaused);
        paused += isPaused ? 1 : 0;
        if (row.isIdle() || (isPaused && pending == 0)) {
            return;
        }
        busy++;
        waiting += pending;
        async += row.isAsync() ? 1 : 0;
        stuckAsync += row.asyncMillis() >= limitMillis ? 1 : 0;
        add(old, row, MOST_OLD);
        if (pending > 0) {
            add(deep, row, MOST_DEEP);
        }
    }

    private static void add(PriorityQueue<Row> first, Row row, int most) {
        Row least = first.peek();
        if (first.size() < most || least == null) {
            first.add(row);
        } else if (first.comparator() != null && first.comparator().compare(row, least) > 0) {
            first.poll();
            first.add(row);
        }
    }

    /** Returns the lanes that are first by age. */
    List<Row> old() {
        return sorted(old);
    }

    /** Returns the lanes with the most waiting tasks. */
    List<Row> deep() {
        return sorted(deep);
    }

    private static List<Row> sorted(PriorityQueue<Row> rows) {
        List<Row> all = new ArrayList<>(rows);
        all.sort(rows.comparator() == null ? null : rows.comparator().reversed());
        return all;
    }

    /** Returns the number of all lanes. */
    int live() {
        return live;
    }

    int busy() {
        return busy;
    }

    long waiting() {
        return waiting;
    }

    int async() {
        return async;
    }

    int paused() {
        return paused;
    }

    /** Returns the number of lanes whose async task has been open for too long. */
    int stuckAsync() {
        return stuckAsync;
    }
}
