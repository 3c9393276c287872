// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import java.util.function.BooleanSupplier;

/**
 * Spins for a moment on the worker of a stage that has caught up, before the stage goes idle, where that pays: to be
 * called again costs a trip through the pool. It looks seldom: each look takes the line that the publisher writes away
 * from it, and what has come in the meantime is one batch.
 */
final class StageSpin {
    private static final long LINGER_NANOS = 20_000;
    private static final long PAUSE_NANOS = 5_000;
    private static final int MOST_CREDIT = 4;
    private static final int TRIAL = 16;

    private final BooleanSupplier hasWork;
    private int credit = MOST_CREDIT;
    private int untilTrial = TRIAL;

    StageSpin(BooleanSupplier hasWork) {
        this.hasWork = hasWork;
    }

    /** Returns whether it has paid lately; and from time to time in any case. */
    boolean isWorthwhile() {
        if (credit > 0) {
            return true;
        }
        if (--untilTrial > 0) {
            return false;
        }
        untilTrial = TRIAL;
        return true;
    }

    /** Waits for work for a moment, as long as nothing else waits for the worker; false when none came. */
    boolean await() {
        WorkerContext worker = WorkerContext.current();
        if (worker == null) {
            return false;
        }
        Scheduler scheduler = worker.scheduler();
        long now = scheduler.nanoTime();
        long end = now + LINGER_NANOS;
        while (end - now > 0 && !scheduler.hasReady()) {
            for (long pause = now + PAUSE_NANOS; pause - now > 0; now = scheduler.nanoTime()) {
                Thread.onSpinWait();
            }
            if (hasWork.getAsBoolean()) {
                credit = MOST_CREDIT;
                return true;
            }
        }
        credit = Math.max(0, credit - 1);
        return false;
    }
}
