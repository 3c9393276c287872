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
 * A turn meets the retirement of its lane and a later submit, to this lane or to the one that has replaced it: the task
 * sees the writes of the turn.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Seen.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The write is not visible, or the task did not run.")
@State
public class TurnAcrossRemoval {
    private static final String KEY = "key";

    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneSpace keys = scheduler.keys();
    private final LaneCore lane = keys.lane(KEY);
    private LaneCore pushed = lane;
    private int data;
    private int seen;

    /** A task waits that writes, and the lane has been taken for its turn. */
    public TurnAcrossRemoval() {
        lane.push(() -> data = 1);
        scheduler.take();
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Actor
    public void retireAndSubmit() {
        lane.tryRetire();
        LaneCore target = keys.lane(KEY);
        while (!target.push(() -> seen = data)) {
            target = LaneSpace.laneAfter(target);
        }
        pushed = target;
        scheduler.drain(target);
    }

    @Arbiter
    public void end(I_Result result) {
        scheduler.drain(pushed);
        result.r1 = seen;
    }
}
