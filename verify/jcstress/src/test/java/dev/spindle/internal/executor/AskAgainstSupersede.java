// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Coalesced;
import dev.spindle.internal.lane.CountingScheduler;
import dev.spindle.internal.lane.LaneCore;
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
 * A thread asks for the outcome of a coalescing task while a newer one supersedes it: the future completes all the
 * same.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Completed with the final state.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "They missed each other: it never completes.")
@State
public class AskAgainstSupersede {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private final CoalescingEntry older = new CoalescingEntry(() -> {}, () -> {});
    private final CoalescingEntry newer = new CoalescingEntry(() -> {}, () -> {});
    private @Nullable CompletableFuture<Coalesced.State> outcome;

    /** The older submission waits. */
    public AskAgainstSupersede() {
        Objects.requireNonNull(lane.offer(null, older));
    }

    @Actor
    public void supersede() {
        lane.offer(null, newer);
    }

    @Actor
    public void ask() {
        outcome = older.outcome();
    }

    @Arbiter
    public void end(Z_Result result) {
        result.r1 = Objects.requireNonNull(outcome).getNow(Coalesced.State.PENDING) == Coalesced.State.SUPERSEDED;
    }
}
