// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Runs the {@link ReadyEntry#turn} of each ready entry once for each time that it was made ready, on any thread, oldest
 * entry first. Lanes and logical executors use threads only through this interface.
 *
 * <p>Memory consistency effects: making an entry ready happens-before the turn that it causes.
 */
public interface Scheduler {
    /**
     * Makes an entry ready: a {@link ReadyEntry}, for which this never throws, or a plain task. Wakes at most one
     * worker, and none while one is searching. Without threads the entry waits, so a caller that accepts a task has to
     * ensure before that there is one ({@link Pool#ensureThread}).
     */
    void ready(Object entry);

    /**
     * Makes an entry ready that the calling worker offers to others while it continues its turn. The entry is not
     * owner-affine, as a single entry in the run queue of that worker would be.
     */
    default void readyForOthers(ReadyEntry entry) {
        ready(entry);
    }

    /**
     * Runs an entry whose time limit has passed soon, however many entries are queued and even if no worker is free: on
     * a thread that runs no tasks, or on a worker. Never on the calling thread, unless time is simulated.
     */
    default void complete(ReadyEntry entry) {
        ready(entry);
    }

    /** Queues an entry whose quantum is used up behind all ready entries. For workers; need not wake a thread. */
    void readyAgain(ReadyEntry entry);

    /** Returns whether another entry waits for a worker. */
    boolean hasReady();

    /**
     * Fires the overdue timers, and returns whether the turn may go on: no other entry waits for a worker, and the
     * worker is needed. Called by a turn at the end of a quantum.
     */
    default boolean mayGoOn() {
        return !hasReady();
    }

    /**
     * Returns a recent reading of the clock, in nanoseconds. While an entry waits for a worker it is at most a few
     * milliseconds old; otherwise it is not older than the start of the tasks that run.
     */
    long recentNanos();

    /** Returns a reading of the clock, in nanoseconds. */
    long nanoTime();

    /** Returns the name of the executor of this scheduler. */
    default String name() {
        return "a spindle";
    }

    /**
     * Announces that the calling worker is about to block, so that another may take its place. Called by
     * {@link WorkerContext}, never nested.
     */
    default void beginBlocking() {}

    /** Announces that the calling worker no longer blocks. */
    default void endBlocking() {}

    /**
     * Called by a worker that has taken its next entry and left the rest to others. In a simulation the others may run
     * first, as they may on other threads.
     */
    default void letOthers() {}

    /** Records a new entry, for {@link #inOrder}. */
    default void made(ReadyEntry entry) {}

    /** Returns {@code entries} in the order for a walk; a simulation returns them in the order of {@link #made}. */
    default <E extends ReadyEntry> Collection<E> inOrder(Collection<E> entries) {
        return entries;
    }

    /** Reports a task that failed. Never throws. */
    void failed(@Nullable Object key, Runnable task, Throwable failure);
}
