// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import dev.spindle.Lane;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The place of a runner or a beat: a key, a strand, a logical executor or the pool.
 *
 * @param timers the timers, or null for a key, whose lane has them
 * @param lane the lane, or null if there is none, which excludes async tasks
 */
record Site(
        String name,
        Executor executor,
        @Nullable ScheduledExecutorService timers,
        @Nullable Lane lane) {
    static Site ofLane(String name, Lane lane) {
        return new Site(name, lane, lane instanceof ScheduledExecutorService timers ? timers : null, lane);
    }

    static Site of(String name, ScheduledExecutorService executor) {
        return new Site(name, executor, executor, null);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the beats show whether they run
    void atFixedRate(Runnable task, int millis) {
        if (timers != null) {
            timers.scheduleAtFixedRate(task, millis, millis, TimeUnit.MILLISECONDS);
        } else if (lane != null) {
            lane.scheduleAtFixedRate(task, Duration.ofMillis(millis), Duration.ofMillis(millis));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    void withFixedDelay(Runnable task, int millis) {
        if (timers != null) {
            timers.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
        } else if (lane != null) {
            lane.scheduleWithFixedDelay(task, Duration.ofMillis(millis), Duration.ofMillis(millis));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    void after(Runnable task, int millis) {
        if (timers != null) {
            timers.schedule(task, millis, TimeUnit.MILLISECONDS);
        } else if (lane != null) {
            lane.schedule(task, Duration.ofMillis(millis));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
