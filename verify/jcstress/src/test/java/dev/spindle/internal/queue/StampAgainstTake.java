// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import dev.spindle.internal.Counters;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Offers of sampled entries, into a slot and into a new segment, meet polls: each poll reads the time at which its
 * entry was offered. The clock stands still, so each wait is 0. A time that was not written yet would give a long wait.
 */
@JCStressTest
@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "Two waits, both of no time.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A wait is not counted, or is measured from another time.")
@State
public class StampAgainstTake {
    private static final long NOW = 1L << 40;

    private final InjectionQueue queue = new InjectionQueue(1, () -> NOW, 1);

    @Actor
    public void offer() {
        queue.offer("first");
        queue.offer("second");
    }

    @Actor
    public void take() {
        Object unused = queue.poll();
        unused = queue.poll();
    }

    @Arbiter
    public void rest(JJ_Result result) {
        Object left = queue.poll();
        while (left != null) {
            left = queue.poll();
        }
        long[] waits = queue.waits();
        for (int i = 0; i < waits.length; i++) {
            if (i == Counters.TOTAL) {
                result.r2 = waits[i];
            } else {
                result.r1 += waits[i];
            }
        }
    }
}
