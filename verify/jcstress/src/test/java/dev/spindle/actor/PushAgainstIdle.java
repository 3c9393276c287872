// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A letter comes while the owner of a mailbox gives it up: it is seen by that owner, or calls another (Mailbox-2). */
@JCStressTest
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "No room: the first letter was there still.")
@Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "The owner had room for it, and saw it.")
@Outcome(id = "1, 2, 2", expect = Expect.ACCEPTABLE, desc = "The owner was gone: it called another.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A letter that nobody comes to, or two owners for one.")
@State
public class PushAgainstIdle {
    private final HandMailbox mailbox = new HandMailbox();

    /** One letter is there, and its owner has been called. */
    public PushAgainstIdle() {
        Mailbox.Push unused = mailbox.offer(new Letter("first"));
    }

    @Actor
    public void push(III_Result result) {
        result.r1 = mailbox.offer(new Letter("second")) == Mailbox.Push.QUEUED ? 1 : 0;
    }

    @Actor
    public void turn() {
        mailbox.run();
    }

    @Arbiter
    public void end(III_Result result) {
        result.r2 = mailbox.calls;
        result.r3 = mailbox.runCalls(1);
    }
}
