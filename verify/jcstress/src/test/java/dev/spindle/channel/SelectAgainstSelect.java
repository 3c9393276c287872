// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two selects with the same channels in different orders come at once: they meet on one channel, and leave no clause on
 * the other (Selection-1).
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "They have met.")
@Outcome(expect = Expect.FORBIDDEN, desc = "They wait for each other, or have left a clause.")
@State
public class SelectAgainstSelect {
    private final Channel<Integer> one = Channel.rendezvous("one");
    private final Channel<Integer> two = Channel.rendezvous("two");

    @Actor
    public void send() {
        Object unused = Select.<Integer>biased()
                .send(one, 1, () -> 1)
                .send(two, 2, () -> 2)
                .awaitAsync();
    }

    @Actor
    public void receive() {
        Object unused = Select.<Integer>biased()
                .receive(two, value -> value)
                .receive(one, value -> value)
                .awaitAsync();
    }

    @Arbiter
    public void end(II_Result result) {
        result.r1 = one.core().waitingSenders() + two.core().waitingSenders();
        result.r2 = one.core().waitingReceivers() + two.core().waitingReceivers();
    }
}
