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
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A submission meets the run of the older one: the older one runs or is superseded, and the newer one runs once.
 */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The older one ran before.")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "The older one was superseded.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The older one had neither end, or both, or the newer one is lost.")
@State
public class CoalesceAgainstRun {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private final Entry older = new Entry(() -> {});
    private int data;
    private int seen;

    /** The older submission waits, and the lane has been taken for its turn. */
    public CoalesceAgainstRun() {
        lane.offer(null, older);
        scheduler.take();
    }

    @Actor
    public void coalesce() {
        data = 1;
        lane.offer(null, new Entry(() -> seen += data == 1 ? 1 : 100));
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Arbiter
    public void end(III_Result result) {
        scheduler.drain(lane);
        result.r1 = older.ran;
        result.r2 = older.superseded;
        result.r3 = seen;
    }
}
