// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two pushes meet an idle lane: it becomes ready once, and runs both. */
@JCStressTest
@Outcome(id = "1, 11", expect = Expect.ACCEPTABLE, desc = "Once, both.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Two wake-ups, or a lost task.")
@State
public class SubmitAgainstSubmit {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private int ran;

    @Actor
    public void first() {
        lane.push(() -> ran += 1);
    }

    @Actor
    public void second() {
        lane.push(() -> ran += 10);
    }

    @Arbiter
    public void end(II_Result result) {
        result.r1 = scheduler.readies();
        scheduler.drain(lane);
        result.r2 = ran;
    }
}
