// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import dev.spindle.internal.lane.CountingScheduler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two workers and one token: the second worker finds it on offer when the first has left, or the first runs both tasks.
 * The tasks never overlap, and the second task sees the writes of the first.
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "One after the other, by one token.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The tasks overlap, or one is lost.")
@State
public class TokenTurnToTurn {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core =
            new ConcurrencyLimiter("test", scheduler, action -> {}, 1, ConcurrencyLimiter.UNBOUNDED, () -> {});
    private int ran; // plain: ordered by the token

    /** One task waits, and a token is on offer. */
    public TokenTurnToTurn() {
        core.arrive();
        core.publish(() -> ran++);
    }

    @Actor
    public void first() {
        scheduler.drain(core);
    }

    @Actor
    public void second() {
        core.arrive();
        core.publish(() -> ran++);
        scheduler.drain(core);
    }

    @Arbiter
    public void end(I_Result result) {
        scheduler.drain(core);
        result.r1 = ran;
    }
}
