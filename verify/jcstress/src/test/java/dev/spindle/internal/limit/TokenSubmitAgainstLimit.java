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

/** A submit to a paused executor meets the end of the pause: one of the two puts the token on offer. */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "On offer once, and run.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The task waits although a token is free, or was offered twice.")
@State
public class TokenSubmitAgainstLimit {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core =
            new ConcurrencyLimiter("test", scheduler, action -> {}, 0, ConcurrencyLimiter.UNBOUNDED, () -> {});

    @Actor
    public void submit() {
        core.arrive();
        core.publish(() -> {});
    }

    @Actor
    public void resume() {
        core.setTokens(1);
    }

    @Arbiter
    public void end(I_Result result) {
        result.r1 = scheduler.readies();
        scheduler.drain(core);
        result.r1 += core.estimatedQueued() == 0 ? 0 : 100;
    }
}
