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

/** A pause meets a turn: the task runs once, before the pause or after the resume. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Ran before.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Ran after.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost, or twice.")
@State
public class PauseAgainstTurn {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private int ran;

    /** A task waits, and the lane has been taken for its turn. */
    public PauseAgainstTurn() {
        lane.push(() -> ran++);
        scheduler.take();
    }

    @Actor
    public void pause() {
        lane.pause();
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Arbiter
    public void end(II_Result result) {
        result.r1 = ran;
        lane.resume();
        scheduler.drain(lane);
        result.r2 = ran;
    }
}
