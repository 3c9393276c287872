// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;

/** The end of a run meets a close: the end is reached once. */
@JCStressTest
@Outcome(id = "a1, 1", expect = Expect.ACCEPTABLE, desc = "The end was reached.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The end was not reached, or reached twice.")
@State
public class FinishAgainstClose {
    private final HandKeys hand = new HandKeys(8, 8);

    /** One update is pending. */
    public FinishAgainstClose() {
        hand.offer("a", 1);
    }

    @Actor
    public void run(LI_Result result) {
        result.r1 = hand.run();
    }

    @Actor
    public void close() {
        hand.close();
    }

    @Arbiter
    public void end(LI_Result result) {
        String unused = hand.runs();
        result.r2 = hand.ends();
    }
}
