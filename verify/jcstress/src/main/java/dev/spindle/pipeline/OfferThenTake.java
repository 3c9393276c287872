// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * What two threads write before their updates of one key, in plain fields: whoever takes an update sees what was written
 * before it, and before the one that it superseded.
 */
@JCStressTest
@Outcome(id = "nothing", expect = Expect.ACCEPTABLE, desc = "The run came before the updates.")
@Outcome(id = "one", expect = Expect.ACCEPTABLE, desc = "One update was taken, or both one by one.")
@Outcome(id = "both", expect = Expect.ACCEPTABLE, desc = "The update that was taken had superseded the other.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An update was taken without what was written before it.")
@State
public class OfferThenTake {
    private final HandKeys hand = new HandKeys(8, 8);
    private int x;
    private int y;

    @Actor
    public void one() {
        x = 1;
        hand.offer("a", 1);
    }

    @Actor
    public void two() {
        y = 1;
        hand.offer("a", 2);
    }

    @Actor
    public void run(L_Result result) {
        String seen = "nothing";
        if (hand.isStarted()) {
            for (KeySlot<String, Integer> slot = hand.keys.next(); slot != null; slot = hand.keys.next()) {
                KeyUpdate<Integer> update = slot.take();
                boolean isBoth = update != null && update.replaced() == 1;
                boolean sees = update != null && (isBoth ? x + y == 2 : update.value() == 1 ? x == 1 : y == 1);
                seen = !sees ? "missing" : isBoth ? "both" : seen.equals("missing") ? seen : "one";
            }
        }
        result.r1 = seen;
    }
}
