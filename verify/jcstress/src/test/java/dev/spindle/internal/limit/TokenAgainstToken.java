// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import dev.spindle.internal.lane.CountingScheduler;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two workers meet three tasks and two tokens: the worker that accepts a token offers the other one, and each task runs
 * once.
 */
@JCStressTest
@Outcome(id = "3, 0", expect = Expect.ACCEPTABLE, desc = "Each task ran once, and all tokens are back.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A task is lost or ran twice, or a token is missing.")
@State
public class TokenAgainstToken {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core =
            new ConcurrencyLimiter("test", scheduler, action -> {}, 2, ConcurrencyLimiter.UNBOUNDED, () -> {});
    private final AtomicInteger ran = new AtomicInteger();

    /** Three tasks wait, and a token is on offer. */
    public TokenAgainstToken() {
        for (int i = 0; i < 3; i++) {
            core.arrive();
            core.publish(ran::incrementAndGet);
        }
    }

    @Actor
    public void first() {
        scheduler.drain(core);
    }

    @Actor
    public void second() {
        scheduler.drain(core);
    }

    @Arbiter
    public void end(II_Result result) {
        scheduler.drain(core);
        result.r1 = ran.get();
        result.r2 = core.running();
    }
}
