// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** A submission meets the withdrawal of the older one: the older one has exactly one end, and the newer one runs. */
@JCStressTest
@Outcome(id = "true, 1, 1", expect = Expect.ACCEPTABLE, desc = "The older one was withdrawn.")
@Outcome(id = "false, 1, 1", expect = Expect.ACCEPTABLE, desc = "The older one was superseded.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The older one had neither end, or both, or the newer one is lost.")
@State
public class WithdrawAgainstCoalesce {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private final Entry older = new Entry(() -> {});
    private final Entry newer = new Entry(() -> {});
    private final CoalescingSlot cell;

    /** The older submission waits. */
    public WithdrawAgainstCoalesce() {
        cell = Objects.requireNonNull(lane.offer(null, older));
    }

    @Actor
    public void coalesce() {
        lane.offer(null, newer);
    }

    @Actor
    public void withdraw(ZII_Result result) {
        result.r1 = cell.withdraw(older);
        if (result.r1) {
            older.withdrawn();
        }
    }

    @Arbiter
    public void end(ZII_Result result) {
        scheduler.drain(lane);
        result.r2 = older.ends();
        result.r3 = newer.ran;
    }
}
