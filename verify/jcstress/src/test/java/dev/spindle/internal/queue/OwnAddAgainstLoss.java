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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The owner of the only run queue adds an entry while another worker takes the run queue from it, and then takes an
 * entry (RunQueues-2): each entry is taken once.
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Each entry was taken once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An entry is in a run queue that no worker finds, or was taken twice.")
@State
public class OwnAddAgainstLoss {
    private final ReadyQueue queue = new ReadyQueue("test", 2, new RunQueues(2, 1, 1));
    private final ReadyQueue.View owner = new ReadyQueue.View(new Counters());
    private final ReadyQueue.View other = new ReadyQueue.View(new Counters());
    private final ReadyQueue.View last = new ReadyQueue.View(new Counters());
    private int taken;

    public OwnAddAgainstLoss() {
        queue.offerOwn(owner, "taken");
        queue.poll(owner);
        queue.offerOwn(other, "taken"); // sees where the run queue stands
        queue.poll(owner);
    }

    @Actor
    public void owner() {
        queue.offerOwn(owner, "own");
    }

    @Actor
    public void other() {
        queue.offerOwn(other, "other"); // takes the run queue, which stands still
        taken += queue.poll(other) != null ? 1 : 0;
    }

    @Arbiter
    public void rest(I_Result result) {
        int left = 0;
        while (queue.poll(last) != null) {
            left++;
        }
        result.r1 = taken + left;
    }
}
