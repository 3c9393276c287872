// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lane as it was at about one moment; the parts are read one after the other, while the lane goes on.
 *
 * @param space the name of the key space, or null for the one without a name and for strands
 * @param key the key, or the name of a strand
 * @param depth how many tasks wait; the one that runs is not counted
 * @param oldestAge how long the oldest of them has waited, to about 10 ms; longer, by as much as the tasks that run
 *     have run, when it was submitted while its lane or all workers were busy; zero when none waits
 * @param thread the thread that runs a task of the lane now, or null
 * @param superseded how many coalescing tasks have been superseded since the lane was last created
 * @param paused whether the lane is paused
 * @param runningFor how long the turn that runs now has lasted, to about the length of the last few tasks, or how long
 *     an open async task has held the lane; null when there is neither
 * @param async whether an async task is open, which holds the lane, and no thread, until its stage completes
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
    /** Creates a picture of a lane without an open async task. */
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
