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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A turn on one thread meets the next turn on another, ordered by nothing but the lane: the second sees plain writes of
 * the first.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Seen.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The write is not visible, or the task did not run.")
@State
public class TurnToTurn {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private int data;
    private int seen;

    /** A task waits that writes, and the lane has been taken for its turn. */
    public TurnToTurn() {
        lane.push(() -> data = 1);
        scheduler.take();
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Actor
    public void submit() {
        lane.push(() -> seen = data);
        scheduler.drain(lane); // by this thread if the lane had become idle
    }

    @Arbiter
    public void end(I_Result result) {
        result.r1 = seen;
    }
}
