// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two consumers meet at the end of a segment: each entry has one taker. */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "One each.")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "One each.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost, or twice.")
@State
public class PollAgainstPoll {
    private final InjectionQueue queue = new InjectionQueue(1);

    /** Two entries in two segments. */
    public PollAgainstPoll() {
        queue.offer(1);
        queue.offer(2);
    }

    @Actor
    public void first(II_Result result) {
        result.r1 = taken();
    }

    @Actor
    public void second(II_Result result) {
        result.r2 = taken();
    }

    private int taken() {
        return queue.poll() instanceof Integer value ? value : 0;
    }
}
