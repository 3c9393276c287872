// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Three workers meet three tasks and two tokens: each task runs once, by two workers at once at the most. */
@JCStressTest
@Outcome(id = "3, [12], [12]", expect = Expect.ACCEPTABLE, desc = "Each once, never more than two at once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost, twice, or more at once than there are tokens.")
@State
public class TokenAgainstToken {
    private final HandScheduler scheduler = new HandScheduler();
    private final TokenCore core = new TokenCore(scheduler, action -> {}, 2, TokenCore.UNBOUNDED, () -> {});
    private final AtomicInteger ran = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    /** Three tasks wait, and a token is on offer. */
    public TokenAgainstToken() {
        for (int i = 0; i < 3; i++) {
            core.arrive();
            core.publish(this::task);
        }
    }

    private void task() {
        int now = running.incrementAndGet();
        most.accumulateAndGet(now, Math::max);
        ran.incrementAndGet();
        running.decrementAndGet();
    }

    @Actor
    public void first() {
        scheduler.drain(core);
    }

    @Actor
    public void second() {
        scheduler.drain(core);
    }

    @Actor
    public void third() {
        scheduler.drain(core);
    }

    @Arbiter
    public void end(III_Result result) {
        scheduler.drain(core);
        result.r1 = ran.get();
        result.r2 = most.get();
        result.r3 = core.peak();
    }
}
