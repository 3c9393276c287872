// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * One thread updates a key; another thread updates the same key, and then another key. The first key is taken first:
 * the second thread's own update enqueued it, or superseded an update of the queued key.
 */
@JCStressTest
@Outcome(id = "a1b3", expect = Expect.ACCEPTABLE, desc = "The first thread's update is the latest.")
@Outcome(id = "a2b3", expect = Expect.ACCEPTABLE, desc = "The second thread's update is the latest.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A key overtook one that was pending before, or one was lost.")
@State
public class OfferThenOfferElsewhere {
    private final HandKeys hand = new HandKeys(8, 8);

    @Actor
    public void offer() {
        hand.offer("a", 1);
    }

    @Actor
    public void offerThenOfferElsewhere() {
        hand.offer("a", 2);
        hand.offer("b", 3);
    }

    @Arbiter
    public void end(L_Result result) {
        result.r1 = hand.runs();
    }
}
