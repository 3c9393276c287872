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
 * The end of the last hold meets an owner that leaves a held lane: the owner continues, or the resume makes the lane
 * ready once.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The owner continued.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The owner had left.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Left by both, or taken by both.")
@State
public class ResumeAgainstPark {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private int ran;

    /** A task waits in a paused lane that has been taken for its turn. */
    public ResumeAgainstPark() {
        lane.push(() -> ran++);
        scheduler.take();
        lane.pause();
    }

    @Actor
    public void resume() {
        lane.resume();
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Arbiter
    public void end(II_Result result) {
        result.r1 = scheduler.readies();
        scheduler.drain(lane);
        result.r2 = ran;
    }
}
