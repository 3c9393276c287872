// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Runs the turns of ready entries, oldest entry first, on any of its threads. Each time an entry is made ready, its
 * {@link ReadyEntry#turn} is called once. Lanes and logical executors use threads only through this interface.
 *
 * <p>Memory consistency effects: making an entry ready happens-before the turn that it causes.
 */
public interface Scheduler {
    /**
     * Makes {@code entry} ready, which is a {@link ReadyEntry} or a plain task. For a {@code ReadyEntry} throws only a
     * {@link Refusal}, if a user's executor has refused a lane, whose tasks have then ended. Wakes at most one worker,
     * and none while a worker searches. If there is no thread, the entry waits; a caller therefore calls
     * {@link Pool#ensureThread} before it accepts a task.
     */
    void ready(Object entry);

    /**
     * Makes {@code entry} ready for other workers, while the calling worker continues its turn. Other workers take the
     * entry even if it is the only ready entry.
     */
    default void readyForOthers(ReadyEntry entry) {
        ready(entry);
    }

    /**
     * Runs an entry whose time limit has passed, without a wait for the queued entries or for a free worker. The entry
     * runs on the completer or on a worker, and on the calling thread only in a simulation.
     */
    default void complete(ReadyEntry entry) {
        ready(entry);
    }

    /**
     * Queues an entry that has used up its quantum, behind the other ready entries. Called by {@code worker}, whose
     * turn ends; this method need not wake another thread. Contains a full fence.
     */
    void readyAgain(ReadyEntry entry, WorkerContext worker);

    /** Returns whether another entry waits for a worker. */
    boolean hasReady();

    /**
     * Fires the overdue timers, and returns whether the calling turn may continue. Returns false if another entry waits
     * for a worker, or if the pool has more awake workers than its limit. Called by a turn at the end of a quantum.
     *
     * @param worker the worker of the calling thread, or null if that thread is not a worker
     */
    default boolean mayGoOn(@Nullable WorkerContext worker) {
        return !hasReady();
    }

    /**
     * Returns a recent reading of the clock, in nanoseconds. While an entry waits for a worker, the reading is at most
     * a few milliseconds old. If no entry waits, the reading is not older than the start of the running tasks.
     */
    long recentNanos();

    /** Returns a reading of the clock, in nanoseconds. */
    long nanoTime();

    /** Returns the name of the executor of this scheduler. */
    default String name() {
        return "a spindle";
    }

    /**
     * Announces that the calling worker is about to block, so that another worker may run instead. Called by
     * {@link WorkerContext}, which does not nest the calls.
     */
    default void beginBlocking() {}

    /** Announces that the calling worker no longer blocks. */
    default void endBlocking() {}

    /**
     * Called by a worker that has taken one entry and has left other entries to other workers. A simulation may run the
     * other entries first, as real threads may do.
     */
    default void letOthers() {}

    /** Records a new entry, for {@link #inOrder}. */
    default void made(ReadyEntry entry) {}

    /**
     * Returns {@code entries} in the order in which the caller visits them. A simulation returns them in the order of
     * the calls of {@link #made}.
     */
    default <E extends ReadyEntry> Collection<E> inOrder(Collection<E> entries) {
        return entries;
    }

    /**
     * Reports a task that failed. Never throws.
     *
     * @param party the lane, as a {@link LaneName}, or another party, such as an actor; null for a plain task
     */
    void failed(@Nullable Object party, Runnable task, Throwable failure);
}
