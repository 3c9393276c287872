// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * Counts of a {@link LogicalExecutor}. They are read one after the other, without a lock on the paths of submits and
 * tasks, and so are not one moment's picture.
 *
 * @param name the executor's name
 * @param maxConcurrency how many workers may run its tasks at once
 * @param queueCapacity how many tasks may wait besides those that could run at once, or 0 when there is no bound
 * @param running how many tasks run, those that their submitters run themselves included
 * @param peakRunning the most workers that have run its tasks at once
 * @param estimatedQueued about how many tasks wait
 * @param submitted about how many tasks were accepted; a delayed task counts when it is due
 * @param completed how many tasks have ended, in any way
 * @param rejected how many submits were rejected
 * @param dropped how many tasks were dropped to make room
 * @param callerRuns how many of the completed tasks were run by their submitters
 */
public record LogicalExecutorStats(
        String name,
        int maxConcurrency,
        int queueCapacity,
        int running,
        int peakRunning,
        int estimatedQueued,
        long submitted,
        long completed,
        long rejected,
        long dropped,
        long callerRuns) {}
