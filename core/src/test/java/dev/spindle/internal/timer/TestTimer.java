// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.timer;

import dev.spindle.internal.HandScheduler;
import dev.spindle.internal.Scheduler;
import dev.spindle.internal.WorkerContext;
import org.jspecify.annotations.Nullable;

/** A timer whose action runs on the thread that fires it. */
public abstract class TestTimer extends Timers.Timer {
    /** Fires the timers that are due at {@code now}. */
    static void fire(Timers timers, long now) {
        timers.fire(now, new HandScheduler());
    }

    TestTimer() {}

    TestTimer(Timers.@Nullable Group group) {
        super(group);
    }

    /** Called when the timer has fired. */
    abstract void fired();

    @Override
    protected void fire(Scheduler scheduler) {
        fired();
    }

    @Override
    public void turn(WorkerContext r) {
        throw new AssertionError("must not be made ready");
    }
}
