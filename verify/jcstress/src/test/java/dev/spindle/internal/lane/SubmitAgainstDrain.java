// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.WorkerContext;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A push meets the end of a turn: the turn runs the task, or the push makes the lane ready. The task sees its data.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The turn ran it.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The lane was idle and became ready.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost, run twice, or without its data.")
@State
public class SubmitAgainstDrain {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private int data;
    private int seen;

    /** One task waits, and the lane has been taken for its turn. */
    public SubmitAgainstDrain() {
        lane.push(() -> {});
        scheduler.take();
    }

    @Actor
    public void submit() {
        data = 1;
        lane.push(() -> seen += data == 1 ? 1 : 100);
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Arbiter
    public void end(II_Result result) {
        result.r1 = scheduler.readies();
        scheduler.drain(lane);
        result.r2 = seen;
    }
}
