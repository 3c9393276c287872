// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import static java.util.Objects.requireNonNull;

import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.WorkerContext.WorkerThread;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that runs turns of a simulation, while all other threads of the simulation stand still. */
final class SimulatedThread extends WorkerThread {
    private static final long KEEP_ALIVE_NANOS = 1_000_000_000;

    private final Schedule schedule;
    private final Thread root;
    private volatile @Nullable Object entry;

    // of the current turn
    private @Nullable WorkerContext worker;
    private long number;
    private long began;
    private int tasks;

    /** @param root the thread of the test */
    SimulatedThread(Schedule schedule, String name, Thread root) {
        super(root.getThreadGroup(), null, name);
        this.schedule = schedule;
        this.root = root;
        setDaemon(true);
        setContextClassLoader(root.getContextClassLoader());
        ThreadGroup group = getThreadGroup();
        setUncaughtExceptionHandler((thread, failure) -> {
            schedule.uncaught(failure);
            if (group != null) {
                group.uncaughtException(thread, failure);
            }
        });
    }

    /** Returns the thread of the test for which {@code thread} runs; {@code thread} itself if it is not simulated. */
    static Thread root(Thread thread) {
        return thread instanceof SimulatedThread simulated ? simulated.root : thread;
    }

    /** Makes this thread run {@code next}, and then the entries that {@link Schedule#turn} returns. */
    void hand(Object next) {
        entry = next;
        LockSupport.unpark(this);
    }

    @Override
    public void run() {
        schedule.addToThread();
        while (awaitEntry()) {
            Object next = requireNonNull(entry);
            while (!schedule.isEndOfRound(next)) {
                next = schedule.turn(this, next);
            }
            entry = null;
            schedule.rest(this, next);
        }
    }

    /** Waits for an entry. Returns false if the keep-alive time has passed and the thread ends. */
    private boolean awaitEntry() {
        long begin = System.nanoTime();
        while (entry == null) {
            long left = KEEP_ALIVE_NANOS - (System.nanoTime() - begin);
            if (left <= 0 && schedule.forget(this)) {
                return false;
            }
            LockSupport.parkNanos(this, Math.max(1, left));
            boolean unused = Thread.interrupted();
        }
        return true;
    }

    // ---------------------------------------------------------------- turns

    void beginTurn(WorkerContext by, long turn, long now) {
        worker = by;
        number = turn;
        began = now;
        tasks = 0;
        boolean unused = Thread.interrupted();
    }

    void endTurn() {
        worker = null;
        boolean unused = Thread.interrupted();
    }

    /** Counts a task of the turn, and returns the number of its tasks so far. */
    int countTask() {
        return ++tasks;
    }

    long turnNanos(long now) {
        return now - began;
    }

    /** Returns the lane or logical executor whose turn this thread runs, or this thread if there is none. */
    Object party() {
        WorkerContext by = worker;
        Object turn = by == null ? null : by.turn();
        return turn == null ? this : turn;
    }

    /** Returns a name of the turn that is the same in each run with the same seed. */
    String describe() {
        WorkerContext by = worker;
        Object turn = by == null ? null : by.turn();
        return "task " + number + " of this run (" + (turn == null ? "plain" : turn) + ")";
    }
}
