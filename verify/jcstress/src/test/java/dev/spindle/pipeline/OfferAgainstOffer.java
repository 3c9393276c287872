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

/** Two updates of a key that is not pending: the key is enqueued once, and one run takes the later update. */
@JCStressTest
@Outcome(id = "a1", expect = Expect.ACCEPTABLE, desc = "The first actor came second.")
@Outcome(id = "a2", expect = Expect.ACCEPTABLE, desc = "The second actor came second.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both or none were taken, or the key was enqueued twice.")
@State
public class OfferAgainstOffer {
    private final HandKeys hand = new HandKeys(8, 8);

    @Actor
    public void one() {
        hand.offer("a", 1);
    }

    @Actor
    public void two() {
        hand.offer("a", 2);
    }

    @Arbiter
    public void end(L_Result result) {
        result.r1 = hand.runs();
    }
}
