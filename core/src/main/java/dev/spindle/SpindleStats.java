// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * Counts of a {@link Spindle}. They are read one after the other, under no lock, and so are not one moment's picture.
 *
 * <p>Nobody counts submits when they are made. {@code submitted} is derived from what ran, what was taken away and what
 * waits: exact when nothing is submitted or run meanwhile, else too low by some of the tasks that are just being
 * submitted or started. It never goes back, and it makes the reading look at every key that exists and at every plain
 * task that waits.
 *
 * @param name the executor's name
 * @param threads how many worker threads exist
 * @param peakThreads the most that have existed at a time
 * @param core how many threads are kept; it may have grown
 * @param max the maximum number of threads
 * @param idle how many of the threads wait for work; one that goes on searching does not
 * @param estimatedReady about how many entries (ready lanes, ready logical executors and plain tasks) wait for a worker
 * @param auxiliaries how many of the threads are beyond the core size
 * @param submitted about how many tasks were accepted; a delayed or periodic task counts each time that it is due, and
 *     one that its submitter ran itself ({@link OnFull#callerRuns}) does not count
 * @param completed how many tasks have ended, in any way
 * @param failed how many of them threw to the failure handler
 * @param handlerFailures how often the failure handler itself threw
 * @param rejected how many submits were rejected
 * @param dropped how many tasks were dropped to make room
 * @param superseded how many coalescing tasks gave way to newer ones
 * @param stolen how many entries a worker took over from another
 * @param growthEpisodes how often more workers than the core were needed; once until the threads beyond it have ended
 * @param wakeUps how many times a parked worker was woken, or a thread was started, for work
 * @param parks how many times a worker went to sleep
 * @param searches how many times a worker without work looked for some before it went to sleep
 * @param keys how many lanes exist, those of idle keys that linger included
 */
public record SpindleStats(
        String name,
        int threads,
        int peakThreads,
        int core,
        int max,
        int idle,
        int estimatedReady,
        int auxiliaries,
        long submitted,
        long completed,
        long failed,
        long handlerFailures,
        long rejected,
        long dropped,
        long superseded,
        long stolen,
        long growthEpisodes,
        long wakeUps,
        long parks,
        long searches,
        int keys) {}
