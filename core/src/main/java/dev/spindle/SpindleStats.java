// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.report.PoolFigures;

/**
 * Counts of a {@link Spindle} with all its keys, strands and logical executors, and of its threads.
 *
 * <p>Submits are not counted when they happen. {@link #accepted} is derived from the tasks that ran, were removed, or
 * wait. It is exact if no task is submitted or started during the call, and otherwise too low by some of those tasks.
 * It never decreases. A task run by its submitter ({@link OnFull#callerRuns}) does not count. To derive it, the call
 * visits every key and every waiting plain task.
 */
public sealed interface SpindleStats extends Stats permits PoolFigures {
    /** Returns the number of worker threads. */
    int threads();

    /** Returns the number of threads that wait for work. A searching thread is not counted. */
    int idleThreads();

    /**
     * Returns the number of threads whose task waits: for a lock, or in any way in which {@link Thread#getState} is not
     * {@code RUNNABLE}. A task that reads a socket is not counted.
     */
    int blockedThreads();

    /** Returns the largest number of worker threads so far. */
    int peakThreads();

    /** Returns the number of core threads, which may have grown. */
    int coreThreads();

    /** Returns the maximum number of worker threads. */
    int maxThreads();

    /**
     * Returns an estimate of the number of entries that wait for a worker: ready lanes, ready logical executors and
     * plain tasks.
     */
    int ready();

    /** Returns the number of lanes, including the lanes of idle keys during their keep-alive. */
    int keys();

    /** Returns the number of times that a parked worker was unparked, or a thread started, for work. */
    long wakeUps();

    /** Returns the number of entries that a worker took from another. */
    long steals();

    /**
     * Returns the number of times that the pool exceeded the core. An episode ends when the threads in excess of the
     * core have ended.
     */
    long growthEpisodes();

    /** Returns the number of times that a failure handler, or the log in its place, threw. */
    long handlerFailures();
}
