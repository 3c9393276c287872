// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;

/** Every way to schedule a task of a {@link ScheduledExecutorService}. */
enum ScheduledEntryPoint {
    SCHEDULE_RUNNABLE((executor, task, delay, period) -> executor.schedule(task, delay, MILLISECONDS)),
    SCHEDULE_CALLABLE((executor, task, delay, period) -> executor.schedule(callable(task), delay, MILLISECONDS)),
    FIXED_RATE((executor, task, delay, period) -> executor.scheduleAtFixedRate(task, delay, period, MILLISECONDS)),
    FIXED_DELAY((executor, task, delay, period) -> executor.scheduleWithFixedDelay(task, delay, period, MILLISECONDS));

    @SuppressWarnings("ImmutableEnumChecker") // captures nothing
    private final Way way;

    ScheduledEntryPoint(Way way) {
        this.way = way;
    }

    /** Schedules {@code task} after {@code delay} milliseconds, and a periodic one every {@code period}. */
    ScheduledFuture<?> schedule(ScheduledExecutorService executor, Runnable task, long delay, long period) {
        return way.schedule(executor, task, delay, period);
    }

    boolean isPeriodic() {
        return this == FIXED_RATE || this == FIXED_DELAY;
    }

    private static Callable<Object> callable(Runnable task) {
        return Executors.callable(task, "result");
    }

    @FunctionalInterface
    private interface Way {
        ScheduledFuture<?> schedule(ScheduledExecutorService executor, Runnable task, long delay, long period);
    }
}
