// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.CountingScheduler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A worker that finds its offer withdrawn by a pause meets the end of the pause: the worker takes the token after all,
 * or one of the two puts it on offer again.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "The worker ran the task.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "On offer again, and run.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The task waits although a token is free, or was offered twice.")
@State
public class TokenRefuseAgainstLimit {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core =
            new ConcurrencyLimiter("test", scheduler, action -> {}, 1, ConcurrencyLimiter.UNBOUNDED, () -> {});

    /** A task waits, the token on offer has been taken for its turn, and then the executor was paused. */
    public TokenRefuseAgainstLimit() {
        core.arrive();
        core.publish(() -> {});
        scheduler.take();
        core.setTokens(0);
    }

    @Actor
    public void turn() {
        core.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
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
