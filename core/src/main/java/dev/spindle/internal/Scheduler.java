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
     * worker, and none while one is searching. Without threads the entry waits, so before a caller accepts a task, it
     * has to ensure that there is a thread ({@link Pool#ensureThread}).
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
     * Runs, soon, an entry whose time limit has passed, even if many entries are queued and no worker is free. The
     * entry runs on a thread that runs no tasks, or on a worker; it runs on the calling thread only in a simulation.
     */
    default void complete(ReadyEntry entry) {
        ready(entry);
    }

    /**
     * Queues an entry behind all ready entries, since it has used up its quantum. Called by a worker, which need not
     * wake another thread.
     */
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
     * Called by a worker that has taken its next entry and left the rest to other workers. In a simulation, the rest
     * may then run before the entry, as it may on real threads.
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
