// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Coalesced;
import dev.spindle.internal.lane.CoalescingSlot;
import dev.spindle.internal.lane.CountingScheduler;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A thread asks for the outcome of a coalescing task while it runs: the run or that thread completes the future.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Completed with the final state.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "They missed each other: it never completes.")
@State
public class AskAgainstRun {
    private final CoalescingEntry entry = new CoalescingEntry(() -> {}, this::task);
    private volatile boolean asking;
    private @Nullable CompletableFuture<Coalesced.State> outcome;

    /** The submission has been taken out of its cell, and is about to run. */
    public AskAgainstRun() {
        CoalescingSlot cell =
                Objects.requireNonNull(new CountingScheduler().lane().offer(null, entry));
        cell.withdraw(entry);
    }

    private void task() {
        while (!asking) { // ends just when the outcome is asked for
            Thread.yield();
        }
    }

    @Actor
    public void run() {
        entry.run();
    }

    @Actor
    public void ask() {
        asking = true;
        outcome = entry.outcome();
    }

    @Arbiter
    public void end(Z_Result result) {
        result.r1 = Objects.requireNonNull(outcome).getNow(Coalesced.State.PENDING) == Coalesced.State.DONE;
    }
}
