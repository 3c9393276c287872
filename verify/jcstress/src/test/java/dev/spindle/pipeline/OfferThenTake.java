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
 * A thread writes a plain field and updates a key; another thread updates the same key and then takes the pending
 * update: if that is the first thread's, or has superseded it, the write is visible.
 */
@JCStressTest
@Outcome(id = "own", expect = Expect.ACCEPTABLE, desc = "Only the own update was taken, or none yet.")
@Outcome(id = "other", expect = Expect.ACCEPTABLE, desc = "The other's update was taken.")
@Outcome(id = "both", expect = Expect.ACCEPTABLE, desc = "The update that was taken had superseded the other.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An update was taken, and the write before it is not visible.")
@State
public class OfferThenTake {
    private final HandKeys hand = new HandKeys(8, 8);
    private int x;

    @Actor
    public void offer() {
        x = 1; // PendingKeys-5
        hand.offer("a", 1);
    }

    @Actor
    public void offerAndTake(L_Result result) {
        hand.offer("a", 2);
        String seen = "own";
        if (hand.isStarted()) {
            for (KeySlot<String, Integer> slot = hand.keys.next(); slot != null; slot = hand.keys.next()) {
                KeyUpdate<Integer> update = slot.take();
                if (update != null && (update.replaced() == 1 || update.value() == 1)) {
                    seen = x == 0 ? "missing" : update.replaced() == 1 ? "both" : "other";
                }
            }
        }
        result.r1 = seen;
    }
}
