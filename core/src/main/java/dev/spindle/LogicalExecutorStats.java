// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/**
 * Counts of a {@link LogicalExecutor}, read one after the other without locking submits and tasks: not an atomic
 * snapshot.
 *
 * @param name the executor's name
 * @param maxConcurrency the maximum number of tasks on workers at once
 * @param queueCapacity the maximum number of waiting tasks, or 0 for no bound
 * @param running the number of running tasks, those that their submitters run included
 * @param peakRunning the largest number of tasks on workers at once so far
 * @param estimatedQueued an estimate of the number of waiting tasks
 * @param submitted an estimate of the number of accepted tasks; a delayed task counts when it is due
 * @param completed the number of tasks that have ended in any way
 * @param rejected the number of rejected submits
 * @param dropped the number of tasks dropped to make room
 * @param callerRuns the number of completed tasks that their submitters ran
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
