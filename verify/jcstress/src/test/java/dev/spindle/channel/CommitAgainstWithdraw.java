// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A send meets the cancellation of a receiver: the value was received, or the receiver has left (Wait-1). */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true"},
        expect = Expect.ACCEPTABLE,
        desc = "Sent, or cancelled.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The value was lost, or neither happened.")
@State
public class CommitAgainstWithdraw {
    private final Channel<Integer> channel = Channel.rendezvous("channel");
    private final CompletableFuture<Integer> receive = channel.receiveAsync();

    @Actor
    public void send(ZZ_Result result) {
        result.r1 = channel.offer(1);
    }

    @Actor
    public void cancel(ZZ_Result result) {
        result.r2 = receive.cancel(false);
    }
}
