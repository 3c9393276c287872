// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import dev.spindle.internal.stage.Origin;
import dev.spindle.internal.timer.Timers;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** The cancellation of a periodic task meets the end of a run, which sets the next timer: no timer of it is left. */
@JCStressTest
@Outcome(id = "true, 0", expect = Expect.ACCEPTABLE, desc = "Cancelled before the run.")
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "Cancelled during or after the run.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A timer is left, or the task has run again.")
@State
public class CancelAgainstRearm {
    private static final Pool POOL = Pool.of(Spindle.create()); // has no threads while it has no work
    private static final Origin ORIGIN = new Origin("test", POOL, POOL.lifetime(), null, null);
    private final Timers timers = new Timers(0);
    private final DelayedTask<?> task;
    private volatile boolean cancelling;
    private int ran;

    /** The task is due, and a thread has taken it. */
    public CancelAgainstRearm() {
        task = new DelayedTask<>(ORIGIN, null, (Runnable) this::task, new Target(), null, 0, 1);
        timers.fire(0, POOL);
    }

    private void task() {
        ran++;
        while (!cancelling) { // ends just when it is cancelled
            Thread.yield();
        }
    }

    @Actor
    public void run() {
        task.run();
    }

    @Actor
    public void cancel() {
        cancelling = true;
        task.cancel(false);
    }

    @Arbiter
    public void end(ZI_Result result) {
        result.r1 = timers.isEmpty();
        result.r2 = ran;
    }

    /** A clock without threads; the actors run the task. */
    private final class Target extends DelayedTask.Target {
        Target() {
            super(POOL, timers);
        }

        @Override
        void addTimer(DelayedTask.DueTimer dueTimer, long due) {
            timers.add(dueTimer, due);
        }

        @Override
        long nanoTime() {
            return 0;
        }

        @Override
        public boolean submitAtOnce(DelayedTask<?> due) {
            return true;
        }

        @Override
        public void submitDue(DelayedTask<?> due) {}

        @Override
        public Timers.@Nullable Group ownTimers() {
            return null;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void ended() {}
    }
}
