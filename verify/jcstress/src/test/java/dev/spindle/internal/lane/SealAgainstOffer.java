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

/** A submission to an existing slot meets the retirement: it is refused, or runs. */
@JCStressTest
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "The submission was first.")
@Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "The retirement was first.")
@Outcome(
        id = "false, false, 0",
        expect = Expect.ACCEPTABLE,
        desc = "The submission looks the key up again, and so does a later retirement.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Accepted by a lane that died.")
@State
public class SealAgainstOffer {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private final Entry entry = new Entry(() -> {});

    /** The slot exists and is empty. */
    public SealAgainstOffer() {
        lane.offer(null, new Entry(() -> {}));
        scheduler.drain(lane);
    }

    @Actor
    public void coalesce(ZZI_Result result) {
        result.r1 = lane.offer(null, entry) != null;
    }

    @Actor
    public void retire(ZZI_Result result) {
        result.r2 = lane.tryRetire();
    }

    @Arbiter
    public void end(ZZI_Result result) {
        scheduler.drain(lane);
        result.r3 = entry.ran;
    }
}
