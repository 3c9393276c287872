// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.time.Duration;
import java.util.Objects;

/** Sets time limits on a spindle for other modules of the library. */
public final class TimeLimits {
    private TimeLimits() {}

    /**
     * Sets a limit, for which a {@code shutdown} waits as for a delayed task. A {@code shutdownNow} runs the action at
     * once.
     *
     * @param spindle the spindle whose clock and threads are used
     * @param time the time until the action runs; a negative time counts as zero
     * @throws java.util.concurrent.RejectedExecutionException after a shutdown, or if no thread exists and none can be
     *     started
     */
    public static TimeLimit set(Object spindle, Duration time, Runnable action) {
        long nanos = Durations.toNanos(Objects.requireNonNull(time, "time"));
        Objects.requireNonNull(action, "action");
        return Pool.of(spindle).host().workLimit(nanos, action);
    }
}
