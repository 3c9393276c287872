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

/** A sender replaces the value of a pending key while a receiver takes it (ConflatingBuffer-3). */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "The receiver was first; the key is pending again.")
@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "The sender was first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A value was lost or received twice.")
@State
public class ReplaceAgainstReceive {
    private final Channel<Integer> channel = Channel.conflating("channel", 1, value -> "key");
    private int first;

    public ReplaceAgainstReceive() {
        boolean unused = channel.offer(1);
    }

    @Actor
    public void send() {
        boolean unused = channel.offer(2);
    }

    @Actor
    public void receive() {
        Integer value = channel.poll();
        first = value == null ? 0 : value;
    }

    @Arbiter
    public void end(II_Result result) {
        Integer rest = channel.poll();
        result.r1 = first;
        result.r2 = rest == null ? 0 : rest;
    }
}
