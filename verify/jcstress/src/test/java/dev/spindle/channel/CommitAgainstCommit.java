// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two senders serve the two clauses of one select at once: one of them is committed (Wait-1). */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true"},
        expect = Expect.ACCEPTABLE,
        desc = "One of them was received.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both were, or none.")
@State
public class CommitAgainstCommit {
    private final Channel<Integer> one = Channel.rendezvous("one");
    private final Channel<Integer> two = Channel.rendezvous("two");

    /** The select waits. */
    public CommitAgainstCommit() {
        Object unused = Select.<Integer>fair()
                .receive(one, value -> value)
                .receive(two, value -> value)
                .awaitAsync();
    }

    @Actor
    public void sendOne(ZZ_Result result) {
        result.r1 = one.offer(1);
    }

    @Actor
    public void sendTwo(ZZ_Result result) {
        result.r2 = two.offer(2);
    }
}
