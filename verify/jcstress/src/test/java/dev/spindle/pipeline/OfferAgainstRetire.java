// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** An update of a remembered key meets the run that forgets the key for another one: the update is taken. */
@JCStressTest
@Outcome(
        id = "b2, a3",
        expect = Expect.ACCEPTABLE,
        desc = "The key was forgotten and added again, or was not forgotten.")
@Outcome(id = "b2a3, -", expect = Expect.ACCEPTABLE, desc = "The same run took it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The update was stored in a slot that is not in the map.")
@State
public class OfferAgainstRetire {
    private final HandKeys hand = new HandKeys(8, 1);

    /** One key is remembered, and another is pending, whose take forgets the first. */
    public OfferAgainstRetire() {
        hand.offer("a", 1);
        String unused = hand.runs();
        hand.offer("b", 2);
    }

    @Actor
    public void offer() {
        hand.offer("a", 3);
    }

    @Actor
    public void run(LL_Result result) {
        result.r1 = hand.run();
    }

    @Arbiter
    public void end(LL_Result result) {
        result.r2 = hand.runs();
    }
}
