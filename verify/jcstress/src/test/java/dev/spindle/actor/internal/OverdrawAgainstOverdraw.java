// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads that have closed one cycle let in the same letter: it is in the mailbox once (Mailbox-7). */
@JCStressTest
@Outcome(id = "1, 0, 2", expect = Expect.ACCEPTABLE, desc = "The first let it in.")
@Outcome(id = "0, 1, 2", expect = Expect.ACCEPTABLE, desc = "The second let it in.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The letter is there twice, or not at all.")
@State
public class OverdrawAgainstOverdraw {
    private final HandMailbox mailbox = new HandMailbox();
    private final Waiter waiter = HandMailbox.waiterFor(mailbox);

    /** The mailbox is full, and a sender waits. */
    public OverdrawAgainstOverdraw() {
        Mailbox.Push unused = mailbox.offer(new Letter("full"));
        mailbox.await(waiter);
    }

    @Actor
    public void one(III_Result result) {
        result.r1 = mailbox.overdraw(waiter, 9) == Mailbox.Push.QUEUED ? 1 : 0;
    }

    @Actor
    public void two(III_Result result) {
        result.r2 = mailbox.overdraw(waiter, 9) == Mailbox.Push.QUEUED ? 1 : 0;
    }

    @Arbiter
    public void end(III_Result result) {
        result.r3 = mailbox.estimatedDepth();
    }
}
