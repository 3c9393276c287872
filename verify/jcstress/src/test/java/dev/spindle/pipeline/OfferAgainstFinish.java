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
 * A run that finds no more updates meets an update of another key: it takes that too, or another run is started.
 */
@JCStressTest
@Outcome(id = "a1, b2", expect = Expect.ACCEPTABLE, desc = "The update started a run of its own.")
@Outcome(id = "a1b2, -", expect = Expect.ACCEPTABLE, desc = "The run took it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An update was left behind without a run, or taken twice.")
@State
public class OfferAgainstFinish {
    private final HandKeys hand = new HandKeys(8, 8);

    /** One update is pending. */
    public OfferAgainstFinish() {
        hand.offer("a", 1);
    }

    @Actor
    public void offer() {
        hand.offer("b", 2);
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
