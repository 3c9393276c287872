// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two actors begin to wait for each other: at least one of them sees the cycle (MailboxCycles-1). */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The first closed the cycle.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The second closed the cycle.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both published before either looked.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Both wait without end.")
@State
public class ParkAgainstPark {
    private final HandMailbox first = new HandMailbox();
    private final HandMailbox second = new HandMailbox();

    /** Both mailboxes are full. */
    public ParkAgainstPark() {
        Mailbox.Push unused = first.offer(new Letter("full"));
        unused = second.offer(new Letter("full"));
    }

    @Actor
    public void one(ZZ_Result result) {
        result.r1 = first.park(second);
    }

    @Actor
    public void two(ZZ_Result result) {
        result.r2 = second.park(first);
    }
}
