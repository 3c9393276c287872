// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Coalesced;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The run of a coalescing task meets a read of its handle: a thread that reads that it is done sees its effects. */
@JCStressTest
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "Not done yet.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Done, and seen.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Done, but its effects are not visible.")
@State
public class RunThenState {
    private final CoalescingEntry entry = new CoalescingEntry(() -> {}, () -> this.data = 1);
    private int data;

    @Actor
    public void run() {
        entry.run();
    }

    @Actor
    public void look(I_Result result) {
        result.r1 = entry.state() == Coalesced.State.DONE ? data : -1;
    }
}
