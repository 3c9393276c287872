// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZLI_Result;

/** An update meets a close: it is refused, or taken before the end, which is reached once. */
@JCStressTest
@Outcome(id = "true, a1, 1", expect = Expect.ACCEPTABLE, desc = "The update was first.")
@Outcome(id = "false, -, 1", expect = Expect.ACCEPTABLE, desc = "The close was first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Accepted and lost, refused and taken, or not one end.")
@State
public class OfferAgainstClose {
    private final HandKeys hand = new HandKeys(8, 8);

    @Actor
    public void offer(ZLI_Result result) {
        result.r1 = hand.offer("a", 1);
    }

    @Actor
    public void close() {
        hand.close();
    }

    @Arbiter
    public void end(ZLI_Result result) {
        result.r2 = hand.runs();
        result.r3 = hand.ends();
    }
}
