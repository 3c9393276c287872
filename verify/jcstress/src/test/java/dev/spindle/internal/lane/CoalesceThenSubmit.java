// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * One thread submits to a slot; another thread submits to the slot as well, and then a plain task to the lane. The
 * slot's task runs before the plain one: it is the second thread's earlier submission, or has superseded it.
 */
@JCStressTest
@Outcome(id = "first, task", expect = Expect.ACCEPTABLE, desc = "The first thread's submission is the latest.")
@Outcome(id = "second, task", expect = Expect.ACCEPTABLE, desc = "The second thread's submission is the latest.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The thread's task overtook its own earlier submission, or one was lost.")
@State
public class CoalesceThenSubmit {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private String order = "";

    @Actor
    public void coalesce() {
        lane.offer(null, new Entry(() -> order += "first"));
    }

    @Actor
    public void coalesceThenSubmit() {
        lane.offer(null, new Entry(() -> order += "second"));
        lane.push(() -> order += ", task");
    }

    @Arbiter
    public void end(L_Result result) {
        scheduler.drain(lane);
        result.r1 = order;
    }
}
