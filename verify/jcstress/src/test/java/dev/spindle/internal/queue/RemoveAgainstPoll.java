// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.queue;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A removal walks the same segments as a poll and an offer: each of three entries has one taker (InjectionQueue-4
 * to 6).
 */
@JCStressTest
@Outcome(id = "6, 0, 1", expect = Expect.ACCEPTABLE, desc = "Each entry was taken once, and none is left.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost, or twice.")
@State
public class RemoveAgainstPoll {
    private final InjectionQueue queue = new InjectionQueue(1);
    private int removed;
    private int polled;

    /** Two entries in two segments. */
    public RemoveAgainstPoll() {
        queue.offer(1);
        queue.offer(2);
    }

    @Actor
    public void remove() {
        removed = value(queue.removeFirst(entry -> (int) entry == 2));
    }

    @Actor
    public void offerAndPoll() {
        queue.offer(3);
        polled = value(queue.poll());
    }

    /** Takes the remaining entries. */
    @Arbiter
    public void rest(III_Result result) {
        result.r1 = removed + polled;
        for (int next = value(queue.poll()); next != 0; next = value(queue.poll())) {
            result.r1 += next;
        }
        result.r2 = value(queue.poll());
        result.r3 = queue.isEmpty() ? 1 : 0;
    }

    private static int value(@Nullable Object entry) {
        return entry instanceof Integer value ? value : 0;
    }
}
