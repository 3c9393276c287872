// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lane at about one moment. Not atomic: the components are read one after the other while the lane runs.
 *
 * @param space the name of the key space, or null for the unnamed key space and for strands
 * @param key the key, or the name of a strand
 * @param depth the number of waiting tasks, without a running task
 * @param oldestAge the time for which the oldest waiting task has waited, to about 10 ms, or zero. It may be too long
 *     by the run time of running tasks if the task was submitted while its lane or all workers were busy.
 * @param thread the thread that runs a task of the lane, or null
 * @param superseded the number of superseded coalescing tasks since the lane was last created
 * @param paused true if the lane is paused
 * @param runningFor the duration of the current turn, to about the length of the last few tasks, or the time for which
 *     an open async task has held the lane; null if there is neither
 * @param async true if an async task is open: it holds the lane, but no thread, until its stage completes
 */
public record LaneSnapshot(
        @Nullable String space,
        Object key,
        int depth,
        Duration oldestAge,
        @Nullable Duration runningFor,
        @Nullable Thread thread,
        long superseded,
        boolean paused,
        boolean async) {
    /** Creates a snapshot of a lane without an open async task. */
    public LaneSnapshot(
            @Nullable String space,
            Object key,
            int depth,
            Duration oldestAge,
            @Nullable Duration runningFor,
            @Nullable Thread thread,
            long superseded,
            boolean paused) {
        this(space, key, depth, oldestAge, runningFor, thread, superseded, paused, false);
    }
}
