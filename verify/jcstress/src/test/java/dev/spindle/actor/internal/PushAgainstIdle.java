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

/**
 * A push meets the owner of a mailbox that becomes idle: that owner sees the letter, or another is called (Mailbox-2).
 */
@JCStressTest
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "No room: the first letter was still there.")
@Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "There was room, and the owner saw the letter.")
@Outcome(id = "1, 2, 2", expect = Expect.ACCEPTABLE, desc = "The owner had left, and another was called.")
@Outcome(expect = Expect.FORBIDDEN, desc = "No owner comes to a letter, or two come.")
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
