// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * A sender begins to wait for room while an owner stops taking requests in batches with room for one: the letter gets
 * in without a third thread (Mailbox-5).
 */
@JCStressTest
@Outcome(id = "4, true", expect = Expect.ACCEPTABLE, desc = "The sender found room, or the owner found the letter.")
@Outcome(expect = Expect.FORBIDDEN, desc = "It waits although there is room.")
@State
public class WaitAgainstEndOfBatch {
    private final HandMailbox mailbox = HandMailbox.full(4);

    /** The owner has been called, takes batches, and has taken a request, so three wait. */
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
