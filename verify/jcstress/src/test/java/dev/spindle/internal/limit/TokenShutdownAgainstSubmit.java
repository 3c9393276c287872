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
import org.openjdk.jcstress.infra.results.III_Result;

/** A shutdown meets a submit: the task is refused, or runs before the executor is terminated. */
@JCStressTest
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "Refused.")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Accepted and run.")
@Outcome(
        expect = Expect.FORBIDDEN,
        desc = "The task is lost or runs after the termination, or there is no termination.")
@State
public class TokenShutdownAgainstSubmit {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core = new ConcurrencyLimiter(
            "test", scheduler, action -> {}, 1, ConcurrencyLimiter.UNBOUNDED, () -> this.terminated = 1);
    private volatile int terminated;
    private int ran;

    @Actor
    public void submit(III_Result result) {
        if (core.arrive()) {
            core.publish(() -> ran += terminated == 0 ? 1 : 100);
            result.r1 = 1;
        }
    }

    @Actor
    public void shutdown() {
        core.shutdown();
    }

    @Arbiter
    public void end(III_Result result) {
        scheduler.drain(core);
        result.r2 = ran;
        result.r3 = terminated;
    }
}
