// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * A push meets the retirement of an idle lane: one of them succeeds, and no task stays in a dead lane. A lane that
 * stays alive accepts submissions to its slot as before.
 */
@JCStressTest
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "The push was first.")
@Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "The retirement was first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A task is lost in a dead lane, neither succeeded, or the slot is stuck.")
@State
public class IdleAgainstDead {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private int ran;

    /** The slot exists and is empty. */
    public IdleAgainstDead() {
        lane.offer(null, new Entry(() -> {}));
        scheduler.drain(lane);
    }

    @Actor
    public void submit(ZZI_Result result) {
        result.r1 = lane.push(() -> ran++);
    }

    @Actor
    public void retire(ZZI_Result result) {
        result.r2 = lane.tryRetire();
    }

    @Arbiter
    public void end(ZZI_Result result) {
        scheduler.drain(lane);
        boolean sealed = !lane.isDead() && lane.offer(null, new Entry(() -> {})) == null;
        result.r3 = sealed ? -1 : ran;
    }
}
