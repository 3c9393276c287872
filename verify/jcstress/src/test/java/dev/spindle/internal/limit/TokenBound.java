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

/** Two submits meet one place: exactly one of them gets it. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The first has the place.")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "The second has the place.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Neither or both: the bound is not exact.")
@State
public class TokenBound {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core = new ConcurrencyLimiter("test", scheduler, action -> {}, 1, 1, () -> {});

    /** There is one place, and the one token is free: one of two tasks that fit has been submitted. */
    public TokenBound() {
        core.arrive();
        core.publish(() -> {});
    }

    private int submit() {
        if (!core.arrive()) {
            return 0;
        }
        core.publish(() -> {});
        return 1;
    }

    @Actor
    public void first(III_Result result) {
        result.r1 = submit();
    }

    @Actor
    public void second(III_Result result) {
        result.r2 = submit();
    }

    @Arbiter
    public void end(III_Result result) {
        result.r3 = core.estimatedQueued() - 1;
    }
}
