// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * A worker that adds to its run queue and then reads the count of awake workers meets one that lowers the count and
 * then reads the queue: one of them sees the other.
 */
@JCStressTest
@Outcome(id = "1, true", expect = Expect.FORBIDDEN, desc = "They missed each other: a lost wake-up.")
@Outcome(id = ".*", expect = Expect.ACCEPTABLE, desc = "The one wakes a worker, or the other finds the entry.")
@State
public class OwnSignalAgainstPark {
    private final RunQueue queue = new RunQueue(2);
    private volatile int awake = 1;

    @Actor
    public void signal(IZ_Result result) {
        queue.offer(this, 0);
        result.r1 = awake;
    }

    @Actor
    public void park(IZ_Result result) {
        awake = 0;
        result.r2 = queue.isEmpty();
    }
}
