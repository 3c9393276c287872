// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Runs each ready entry's {@link ReadyEntry#turn} once for each time that it was made ready, on any thread, oldest
 * first. All that lanes and logical executors know of the threads below them.
 *
 * <p>Memory consistency effects: making an entry ready happens-before the turn that it causes.
 */
public interface Scheduler {
    /**
     * Takes an entry that has work: a {@link ReadyEntry}, for which it never throws, or a plain task. Wakes at most one
     * worker, and none while one is searching. What is ready waits for a thread if there is none: who accepts tasks has
     * to ensure that there is one before ({@link Pool#ensureThread}).
     */
    void ready(Object entry);

    /**
     * The same for an entry that a worker offers to others while it goes on with its turn. It is not kept for the
     * calling worker, as a single entry that a worker makes ready is: the others would leave it to that.
     */
    default void readyForOthers(ReadyEntry entry) {
        ready(entry);
    }

    /**
     * Takes an entry whose time limit has passed, and acts on it soon, whatever else is queued and even if no worker is
     * free: on a thread that runs no tasks, or on a worker. Never on the calling thread, unless time is simulated.
     */
    default void complete(ReadyEntry entry) {
        ready(entry);
    }

    /** Puts an entry whose quantum is used up behind everything that is ready. For workers; wakes nobody by itself. */
    void readyAgain(ReadyEntry entry);

    /** Returns whether anything else waits for a worker. */
    boolean hasReady();

    /**
     * Called by a turn at the end of a quantum: fires the timers that are overdue, and returns
     * whether the turn may go on, since nothing else waits for a worker, and the worker is needed.
     */
    default boolean mayGoOn() {
        return !hasReady();
    }

    /**
     * Returns a recent reading of the clock, in nanoseconds: at most a few milliseconds old while an entry waits for a
     * worker; else not older than the tasks that run have run.
     */
    long recentNanos();

    /** Returns a reading of the clock, in nanoseconds. */
    long nanoTime();

    /** Returns the name of the executor that this belongs to. */
    default String name() {
        return "a spindle";
    }

    /**
     * Announces that the calling worker is about to block: another may take its place. Called by {@link WorkerContext},
     * never nested.
     */
    default void beginBlocking() {}

    /** Announces that the calling worker no longer blocks. */
    default void endBlocking() {}

    /**
     * Called by a worker that has taken what it runs next, and has left the rest to others. In a simulation those may
     * be faster, as they may be on another thread.
     */
    default void letOthers() {}

    /** Notes a new entry, for {@link #inOrder}. */
    default void made(ReadyEntry entry) {}

    /** Returns the entries of a map in the order in which they are to be seen: in a simulation, as they were made. */
    default <E extends ReadyEntry> Collection<E> inOrder(Collection<E> entries) {
        return entries;
    }

    /** Reports a task that failed. Never throws. */
    void failed(@Nullable Object key, Runnable task, Throwable failure);
}
