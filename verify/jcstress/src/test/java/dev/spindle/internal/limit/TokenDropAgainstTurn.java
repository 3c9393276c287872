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
import org.openjdk.jcstress.infra.results.IIZ_Result;

/** A worker meets a thread that searches for a missing task and then drops the oldest: no task is lost. */
@JCStressTest
@Outcome(id = "2, 0, false", expect = Expect.ACCEPTABLE, desc = "Both have run.")
@Outcome(id = "1, 1, false", expect = Expect.ACCEPTABLE, desc = "One was dropped, the other has run.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A task is lost, or dropped and run.")
@State
public class TokenDropAgainstTurn {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core =
            new ConcurrencyLimiter("test", scheduler, action -> {}, 1, ConcurrencyLimiter.UNBOUNDED, () -> {});
    private final AtomicInteger ran = new AtomicInteger();

    /** Two tasks wait, and a token is on offer. */
    public TokenDropAgainstTurn() {
        for (int i = 0; i < 2; i++) {
            core.arrive();
            core.publish(ran::incrementAndGet);
        }
    }

    @Actor
    public void turn() {
        scheduler.drain(core);
    }

    @Actor
    public void drop(IIZ_Result result) {
        result.r3 = core.exchangeFirst(task -> false) != null;
        result.r2 = core.exchangeFirst(task -> true) == null ? 0 : 1;
        if (result.r2 == 1) {
            core.room().giveBack();
        }
    }

    @Arbiter
    public void end(IIZ_Result result) {
        scheduler.drain(core);
        result.r1 = ran.get();
    }
}
