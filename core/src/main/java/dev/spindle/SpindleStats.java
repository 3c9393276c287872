// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.report.PoolFigures;

/**
 * Counts of a {@link Spindle} with all its keys, strands and logical executors, and of its threads.
 *
 * <p>Submits are not counted when they happen. {@link #accepted} is derived from the tasks that ran, were removed, or
 * wait. The number is exact if no task is submitted or started during the call of {@link Spindle#stats}. If tasks are
 * submitted or started, the number may be too low by the number of these tasks. The number never decreases. A task that
 * its submitter runs ({@link OnFull#callerRuns}) is not included. {@link Spindle#stats} visits every lane and every
 * waiting plain task.
 */
public sealed interface SpindleStats extends Stats permits PoolFigures {
    /** Returns the number of worker threads. */
    int threads();

    /** Returns the number of threads that wait for work. A searching thread is not counted. */
    int idleThreads();

    /**
     * Returns the number of threads whose task waits, such as for a lock. The {@link Thread#getState state} of such a
     * thread is not {@code RUNNABLE}. A thread that reads a socket is {@code RUNNABLE} and is not counted.
     */
    int blockedThreads();

    /** Returns the largest number of worker threads so far. */
    int peakThreads();

    /** Returns the current number of core threads, which may be higher than the initial number. */
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

    /** Returns the number of times that a parked worker was unparked or a thread was started because work was ready. */
    long wakeUps();

    /** Returns the number of entries that a worker took from the queue of another worker. */
    long steals();

    /**
     * Returns the number of growth episodes. An episode begins when the pool has more threads than the core, and ends
     * when the threads in excess of the core have ended.
     */
    long growthEpisodes();

    /** Returns the number of times that a failure handler, an uncaught-exception handler, or the log threw. */
    long handlerFailures();
}
