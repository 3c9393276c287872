// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * Counts of a {@link Spindle}. They are read one after the other, without a lock on the paths of submits and tasks, and so
 * are not one moment's picture.
 *
 * @param name the executor's name
 * @param threads how many worker threads exist
 * @param peakThreads the most that have existed at a time
 * @param core the core size now; it may have grown
 * @param max the maximum number of threads
 * @param idle how many of the threads wait for work; one that goes on searching does not
 * @param estimatedReady about how many entries (ready lanes, ready logical executors and plain tasks) wait for a worker
 * @param completed how many tasks have ended, in any way
 * @param failed how many of them threw to the failure handler
 * @param handlerFailures how often the failure handler itself threw
 * @param rejected how many submits were rejected
 * @param dropped how many tasks were dropped to make room
 * @param growthEpisodes how often the core was exceeded because work was stuck
 * @param wakeUps how many times a parked worker was woken
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
        long completed,
        long failed,
        long handlerFailures,
        long rejected,
        long dropped,
        long growthEpisodes,
        long wakeUps,
        int keys) {}
