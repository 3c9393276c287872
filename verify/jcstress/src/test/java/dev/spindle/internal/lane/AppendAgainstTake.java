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

/** Appends to a chunk meet the turn that takes and closes it: each task runs once, in order. */
@JCStressTest
@Outcome(id = "4, 0", expect = Expect.ACCEPTABLE, desc = "All, in order.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A task is lost, run twice, or out of order.")
@State
public class AppendAgainstTake {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private int ran;
    private int disorder;

    /** Two tasks wait, the second in a chunk with room for more, and the lane has been taken for their turn. */
    public AppendAgainstTake() {
        lane.push(() -> run(0));
        lane.push(() -> run(1));
        scheduler.take();
    }

    @Actor
    public void append() {
        lane.push(() -> run(2));
        lane.push(() -> run(3));
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    private void run(int number) {
        disorder += ran == number ? 0 : 1;
        ran++;
    }

    @Arbiter
    public void end(II_Result result) {
        scheduler.drain(lane);
        result.r1 = ran;
        result.r2 = disorder;
    }
}
