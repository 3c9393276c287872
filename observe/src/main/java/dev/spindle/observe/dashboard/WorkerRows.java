// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import dev.spindle.internal.LaneName;
import dev.spindle.internal.Pool;
import dev.spindle.internal.ReadyEntry;
import dev.spindle.internal.WorkerContext;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of a pool run. A worker keeps its number on the page. The stack of a task is read when the task is
 * 1, 2, 4, ... seconds old, at most every 30 s, and for at most four tasks in a reading. Used by one thread at a time.
 */
final class WorkerRows {
    /** The age at which a task is listed with its name. A shorter task is only counted. Not measured. */
    static final long LISTED_MILLIS = 250;

    /** The age at which the stack of a task is first read. Not measured. */
    private static final long FIRST_STACK_MILLIS = 1_000;

    /** The maximum time between two readings of a stack. Not measured. */
    private static final long STACK_PAUSE_MILLIS = 30_000;

    /** The maximum number of stacks that are read in one reading. Not measured. */
    private static final int STACKS = 4;

    /** The maximum number of frames of a stack. Not measured. */
    private static final int FRAMES = 96;

    private final Pool pool;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final IdentityHashMap<WorkerContext, Row> rows = new IdentityHashMap<>();
    private final BitSet numbers = new BitSet();
    private List<Row> sorted = List.of();
    private int stacksLeft;
    private long readings;

    /** A worker. The fields are those of the last reading. */
    static final class Row {
        final int number;
        private long seen; // the number of the last reading
        private long started = -1;
        private long nextStackMillis;

        @Nullable
        Thread thread;

        @Nullable
        ReadyEntry turn;

        boolean isRunning;
        boolean isBlocked;
        long ageMillis;
        Cause cause = Cause.UNKNOWN;

        private Row(int number) {
            this.number = number;
        }

        long threadId() {
            return thread == null ? 0 : thread.getId();
        }

        @Nullable
        LaneName lane() {
            return turn == null ? null : turn.lane();
        }

        @Nullable
        String executor() {
            return turn == null ? null : turn.executor();
        }

        /** Returns the kind of the task: {@code "key"}, {@code "strand"}, {@code "executor"} or {@code "task"}. */
        String kind() {
            LaneName lane = lane();
            return lane != null ? Names.kind(lane) : executor() != null ? "executor" : "task";
        }

        String name(Names names) {
            LaneName lane = lane();
            String executor = executor();
            return lane != null ? names.of(lane) : executor != null ? executor : "a plain task";
        }

        @Nullable
        String space() {
            LaneName lane = lane();
            return lane == null ? null : lane.spaceName();
        }
    }

    WorkerRows(Pool pool) {
        this.pool = pool;
    }

    /** Reads all workers, and returns them by number. */
    List<Row> read() {
        readings++;
        stacksLeft = STACKS;
        long now = pool.nanoTime();
        int before = rows.size();
        boolean[] changed = {false};
        pool.forEachWorker(worker -> {
            Row row = rows.get(worker);
            if (row == null) {
                int number = numbers.nextClearBit(1);
                numbers.set(number);
                row = new Row(number);
                rows.put(worker, row);
                changed[0] = true;
            }
            row.seen = readings;
            read(worker, row, now);
        });
        rows.values().removeIf(row -> {
            boolean gone = row.seen != readings;
            if (gone) {
                numbers.clear(row.number);
            }
            return gone;
        });
        if (changed[0] || rows.size() != before) {
            List<Row> all = new ArrayList<>(rows.values());
            all.sort(Comparator.comparingInt(row -> row.number));
            sorted = all;
        }
        return sorted;
    }

    private void read(WorkerContext worker, Row row, long now) {
        long started = worker.started();
        boolean runs = worker.runsTask();
        long age = runs ? Math.max(0, (now - worker.now()) / 1_000_000) : 0;
        if (started != row.started) { // another task
            row.started = started;
            row.nextStackMillis = FIRST_STACK_MILLIS;
            row.cause = Cause.UNKNOWN;
        }
        row.turn = runs ? worker.turn() : null;
        row.thread = worker.thread();
        row.isRunning = runs;
        row.ageMillis = age;
        Thread thread = row.thread;
        if (!runs || thread == null) {
            row.isBlocked = false;
            return;
        }
        if (age >= row.nextStackMillis && stacksLeft > 0) {
            stacksLeft--;
            row.nextStackMillis = Math.min(2 * age, age + STACK_PAUSE_MILLIS);
            row.cause = cause(thread);
        }
        boolean waitsInKernel = row.cause != Cause.UNKNOWN && !row.cause.on().equals("run");
        row.isBlocked = thread.getState() != Thread.State.RUNNABLE || waitsInKernel;
    }

    private Cause cause(Thread thread) {
        ThreadInfo info = threads.getThreadInfo(thread.getId(), FRAMES);
        if (info == null) { // a virtual thread, or one that has ended
            return Cause.of(thread.getState(), thread.getStackTrace(), null, -1, null);
        }
        return Cause.of(
                info.getThreadState(),
                info.getStackTrace(),
                info.getLockInfo() == null ? null : info.getLockInfo().getClassName(),
                info.getLockOwnerId(),
                info.getLockOwnerName());
    }

    /** Returns the stack of the worker whose thread has the id {@code id}, or null if there is no such worker. */
    static @Nullable String stack(Pool pool, long id) {
        Thread[] found = new Thread[1];
        pool.forEachWorker(worker -> {
            Thread thread = worker.thread();
            if (thread != null && thread.getId() == id) {
                found[0] = thread;
            }
        });
        Thread thread = found[0];
        if (thread == null) {
            return null;
        }
        StringBuilder text = new StringBuilder("worker, " + thread.getState() + "\n");
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append("    at ").append(frame).append('\n');
        }
        return text.toString();
    }
}
