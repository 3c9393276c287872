// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The creation of a lane meets the shutdown of the table: its creator or the shutdown closes the lane. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Dead as soon as it has run its tasks.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Closed by neither: the executor never terminates.")
@State
public class MakeAgainstClose {
    private final CountingScheduler scheduler = new CountingScheduler();
    private @Nullable LaneCore made;

    @Actor
    public void make() {
        made = scheduler.lane();
    }

    @Actor
    public void closeAll() {
        scheduler.table().closeAll();
    }

    @Arbiter
    public void end(ZZ_Result result) {
        LaneCore lane = Objects.requireNonNull(made);
        lane.push(() -> {}); // refused by a dead lane, else its last task
        scheduler.drain(lane);
        result.r1 = lane.isDead();
        result.r2 = scheduler.table().isEmpty();
    }
}
