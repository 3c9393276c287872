// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Somebody begins to wait for room while an owner stops taking requests in batches, and takes no more, with room for
 * one: the letter gets in without help of anybody else (Mailbox-5).
 */
@JCStressTest
@Outcome(id = "4, true", expect = Expect.ACCEPTABLE, desc = "It found the room, or the owner found it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "It waits beside room.")
@State
public class WaitAgainstEndOfBatch {
    private final HandMailbox mailbox = HandMailbox.full(4);

    /** Its owner is called, batches, and has taken a request, so that three wait. */
    public WaitAgainstEndOfBatch() {
        mailbox.batch(true);
        boolean taken = mailbox.intake() && mailbox.pollRequest() != null;
        if (!taken) {
            throw new IllegalStateException("nothing to take");
        }
    }

    @Actor
    public void await() {
        mailbox.await(HandMailbox.waiterFor(mailbox));
    }

    @Actor
    public void stopBatching() {
        mailbox.batch(false);
    }

    @Arbiter
    public void end(IZ_Result result) {
        result.r1 = mailbox.estimatedDepth();
        result.r2 = mailbox.waiting().isEmpty();
    }
}
