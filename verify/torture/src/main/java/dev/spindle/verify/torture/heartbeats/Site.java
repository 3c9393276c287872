// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.heartbeats;

import dev.spindle.Lane;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The executor of a runner or a beat: a key, a strand, a logical executor or the pool.
 *
 * @param lane the lane, or null for an executor without async tasks
 */
record Site(
        String name,
        ScheduledExecutorService executor,
        @Nullable Lane lane) {
    static Site ofLane(String name, Lane lane) {
        return new Site(name, lane, lane);
    }

    static Site of(String name, ScheduledExecutorService executor) {
        return new Site(name, executor, null);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the beats show whether the tasks run
    void atFixedRate(Runnable task, int millis) {
        executor.scheduleAtFixedRate(task, millis, millis, TimeUnit.MILLISECONDS);
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    void withFixedDelay(Runnable task, int millis) {
        executor.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    void after(Runnable task, int millis) {
        executor.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public String toString() {
        return name;
    }
}
