// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.WorkerContext;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * An interrupt of a turn meets the end of the turn: it is sent before the turn returns, or not at all. So it never hits
 * the thread's next task, which begins with a clear flag.
 */
@JCStressTest
@Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "The next task is not hit.")
@Outcome(id = "true", expect = Expect.FORBIDDEN, desc = "The interrupt hit the next task.")
@State
public class InterruptAgainstFinish {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private volatile boolean sent;

    /** A task waits, and the lane has been taken for its turn. */
    public InterruptAgainstFinish() {
        lane.push(() -> {});
        scheduler.take();
    }

    @Actor
    public void interrupt() {
        lane.interruptTurn();
        sent = true;
    }

    @Actor
    public void turn(Z_Result result) {
        WorkerContext worker = new WorkerContext(scheduler, Long.MAX_VALUE);
        worker.bind();
        lane.turn(worker);
        worker.unbind();
        Thread.interrupted(); // as a worker does before each task
        while (!sent) {
            Thread.yield();
        }
        result.r1 = Thread.interrupted();
    }
}
