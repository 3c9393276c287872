// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * Counts of a {@link Spindle}, read one after the other without a lock: not an atomic snapshot.
 *
 * <p>Submits are not counted when they happen. {@code submitted} is derived from the tasks that ran, were removed, or
 * wait. It is exact if no task is submitted or started during the call, and otherwise too low by some of those tasks.
 * It never decreases. To derive it, the call visits every key and every waiting plain task.
 *
 * @param name the executor's name
 * @param threads the number of worker threads
 * @param peakThreads the largest number of worker threads so far
 * @param core the number of core threads; it may have grown
 * @param max the maximum number of threads
 * @param idle the number of threads that wait for work; a searching thread is not counted
 * @param estimatedReady an estimate of the entries (ready lanes, ready logical executors and plain tasks) that wait for
 *     a worker
 * @param auxiliaries the number of threads in excess of the core
 * @param submitted an estimate of the accepted tasks; a delayed or periodic task counts each time it is due, and a task
 *     run by its submitter ({@link OnFull#callerRuns}) does not count
 * @param completed the number of tasks that have ended in any way
 * @param failed the number of tasks whose failure went to the failure handler
 * @param handlerFailures the number of times the failure handler itself threw
 * @param rejected the number of rejected submits
 * @param dropped the number of tasks dropped to make room
 * @param superseded the number of coalescing tasks replaced by newer tasks
 * @param stolen the number of entries a worker took from another
 * @param growthEpisodes the number of times the pool exceeded the core; an episode ends when the threads in excess of
 *     it have ended
 * @param wakeUps the number of times a parked worker was unparked, or a thread started, for work
 * @param parks the number of times a worker parked
 * @param searches the number of times a worker searched for work before it parked
 * @param keys the number of lanes, including lanes of idle keys that linger
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
