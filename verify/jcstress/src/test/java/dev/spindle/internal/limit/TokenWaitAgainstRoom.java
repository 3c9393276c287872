// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import dev.spindle.internal.lane.CountingScheduler;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A submitter that waits for room meets the worker that makes room: it is let in long before its limit. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Admitted.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "The wake-up was lost.")
@State
public class TokenWaitAgainstRoom {
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(10);
    private static volatile boolean lost; // one is enough, so later rounds need not wait

    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core = new ConcurrencyLimiter("test", scheduler, action -> {}, 1, 1, () -> {});

    /**
     * One task may start, and one has come: there is no room, and a token is on offer. Only the end of the turn makes
     * room.
     */
    public TokenWaitAgainstRoom() {
        core.arrive();
        core.publish(() -> {});
        core.arrive();
    }

    @Actor
    public void submit(Z_Result result) {
        long limit = lost ? 0 : LIMIT;
        long begin = System.nanoTime();
        try {
            result.r1 = core.room().await(limit, 0, core::isShut) && System.nanoTime() - begin < LIMIT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lost |= !result.r1;
    }

    @Actor
    public void turn() {
        scheduler.drain(core);
    }
}
