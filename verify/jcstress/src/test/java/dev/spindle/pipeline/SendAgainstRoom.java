// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LZ_Result;

/** A sender that finds no room meets the run that makes room: its update is accepted without a third thread. */
@JCStressTest
@Outcome(id = "a1b2, true", expect = Expect.ACCEPTABLE, desc = "The run had made room, or made it and saw the sender.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The sender waits although there is room.")
@State
public class SendAgainstRoom {
    private final HandKeys hand = new HandKeys(1, 1);
    private String first = "";

    /** There is no room. */
    public SendAgainstRoom() {
        hand.offer("a", 1);
    }

    @Actor
    public void send(LZ_Result result) {
        WaitingSends.Send<String, Integer> unused = hand.sends.add("b", 2);
    }

    @Actor
    public void run() {
        first = hand.run();
    }

    @Arbiter
    public void end(LZ_Result result) {
        result.r1 = (first + hand.runs()).replace("-", "");
        result.r2 = !hand.keys.isAwaited();
    }
}
