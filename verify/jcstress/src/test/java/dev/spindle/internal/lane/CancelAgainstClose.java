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
import org.openjdk.jcstress.infra.results.ZI_Result;

/** The withdrawal of a pending slot meets the end of a closed lane: the lane dies, in either order. */
@JCStressTest
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "Dead, and the submission was run or returned.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The closed lane stays alive, or the submission is lost.")
@State
public class CancelAgainstClose {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private final Entry entry = new Entry(() -> {});

    /** A submission waits in a lane that dies when it is idle, and the lane has been taken for its turn. */
    public CancelAgainstClose() {
        lane.offer(null, entry);
        lane.close();
        scheduler.take();
    }

    @Actor
    public void cancel() {
        lane.cancelPending();
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Arbiter
    public void end(ZI_Result result) {
        scheduler.drain(lane);
        result.r1 = lane.isDead();
        result.r2 = entry.ends();
    }
}
