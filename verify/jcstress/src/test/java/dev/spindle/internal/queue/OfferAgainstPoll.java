// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Offers meet polls at the ends of segments: no entry is lost or taken twice, the order holds, and plain data is
 * visible.
 */
@JCStressTest
@Outcome(id = "0, 0, 12", expect = Expect.ACCEPTABLE, desc = "There was no entry yet.")
@Outcome(id = "1, 0, 2", expect = Expect.ACCEPTABLE, desc = "The first.")
@Outcome(id = "0, 1, 2", expect = Expect.ACCEPTABLE, desc = "The first, later.")
@Outcome(id = "1, 2, 0", expect = Expect.ACCEPTABLE, desc = "Both.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An entry is lost, taken twice, or out of order.")
@State
public class OfferAgainstPoll {
    private final InjectionQueue queue = new InjectionQueue(1);

    @Actor
    public void offer() {
        queue.offer(new Item(1));
        queue.offer(new Item(2));
    }

    @Actor
    public void poll(III_Result result) {
        result.r1 = taken();
        result.r2 = taken();
    }

    @Arbiter
    public void rest(III_Result result) {
        for (int next = taken(); next != 0; next = taken()) {
            result.r3 = result.r3 * 10 + next;
        }
    }

    private int taken() {
        return queue.poll() instanceof Item item ? item.value : 0;
    }

    /** An entry with a plain field. */
    private static final class Item {
        int value;

        Item(int value) {
            this.value = value;
        }
    }
}
