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

/** A sender and a receiver come at once: they meet, and neither waits (ChannelCore-1). */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "They have met.")
@Outcome(expect = Expect.FORBIDDEN, desc = "They wait for each other.")
@State
public class SendAgainstReceive {
    private final Channel<Integer> channel = Channel.rendezvous("channel");

    @Actor
    public void send() {
        Object unused = channel.sendAsync(1);
    }

    @Actor
    public void receive() {
        Object unused = channel.receiveAsync();
    }

    @Arbiter
    public void end(II_Result result) {
        result.r1 = channel.core().waitingSenders();
        result.r2 = channel.core().waitingReceivers();
    }
}
