// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A worker that adds to its run queue and polls meets a thief, while the ring wraps around: each entry is taken once.
 */
@JCStressTest
@Outcome(id = "4, 10", expect = Expect.ACCEPTABLE, desc = "Each entry was taken once, with its plain data.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An entry is lost, taken twice, or its data is not visible.")
@State
public class PollAgainstSteal {
    private final RunQueue queue = new RunQueue(2);
    private int ownCount;
    private int ownSum;
    private int stolenCount;
    private int stolenSum;

    @Actor
    public void own() {
        for (int i = 1; i <= 4; i++) {
            Item item = new Item(i);
            while (!queue.offer(item, 0)) {
                poll();
            }
        }
        poll();
    }

    @Actor
    public void steal() {
        for (int i = 0; i < 3; i++) {
            if (queue.take(e -> true) instanceof Item item) {
                stolenCount++;
                stolenSum += item.value;
            }
        }
    }

    @Arbiter
    public void rest(II_Result result) {
        while (queue.mayHaveEntries()) {
            poll();
        }
        result.r1 = ownCount + stolenCount;
        result.r2 = ownSum + stolenSum;
    }

    private void poll() {
        if (queue.poll() instanceof Item item) {
            ownCount++;
            ownSum += item.value;
        }
    }

    /** An entry with a plain field. */
    private static final class Item {
        int value;

        Item(int value) {
            this.value = value;
        }
    }
}
