// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.channel;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A read meets a commit: a thread that reads the decision sees the value, and the writes before the commit (Wait-3).
 */
@JCStressTest
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "Not decided yet.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The value and the writes before the send are visible.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The decision is visible, and the value or the writes are not.")
@State
public class CommitThenRead {
    private final Channel<Integer> channel = Channel.rendezvous("channel");
    private final Wait wait = new Wait() {};
    private int before;

    /** A receiver waits for a value. */
    public CommitThenRead() {
        Integer unused = channel.core().receive(Pending.receive(channel.core(), wait));
    }

    @Actor
    public void send() {
        before = 1;
        boolean unused = channel.offer(7);
    }

    @Actor
    public void read(I_Result result) {
        Pending<?> committed = wait.committed();
        result.r1 = committed == null ? -1 : committed.value == null ? 0 : before;
    }
}
