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

/**
 * An update of a pending key meets the run that takes it: the update is taken instead of the older one, or after it.
 */
@JCStressTest
@Outcome(id = "a2, -", expect = Expect.ACCEPTABLE, desc = "The newer one superseded the older one.")
@Outcome(
        id = "a1, a2",
        expect = Expect.ACCEPTABLE,
        desc = "The older one was taken; the newer one started another run.")
@Outcome(id = "a1a2, -", expect = Expect.ACCEPTABLE, desc = "The same run took both.")
@Outcome(expect = Expect.FORBIDDEN, desc = "One was lost, taken twice or taken in the wrong order.")
@State
public class OfferAgainstTake {
    private final HandKeys hand = new HandKeys(8, 8);

    /** One update is pending. */
    public OfferAgainstTake() {
        hand.offer("a", 1);
    }

    @Actor
    public void offer() {
        hand.offer("a", 2);
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
