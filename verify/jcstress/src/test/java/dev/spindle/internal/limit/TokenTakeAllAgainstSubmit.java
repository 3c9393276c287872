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
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A shutdownNow meets a submitter that then acts as a worker: each accepted task is run or returned, once, and the
 * executor terminates.
 */
@JCStressTest
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "Refused; the other one was run or returned.")
@Outcome(id = "1, 2, 1", expect = Expect.ACCEPTABLE, desc = "Accepted; both were run or returned.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A task is lost, or run and returned, or there is no termination.")
@State
public class TokenTakeAllAgainstSubmit {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core = new ConcurrencyLimiter(
            "test", scheduler, action -> {}, 1, ConcurrencyLimiter.UNBOUNDED, () -> this.terminated = 1);
    private final AtomicInteger ran = new AtomicInteger();
    private volatile int terminated;
    private int taken;

    /** One task waits, and a token is on offer. */
    public TokenTakeAllAgainstSubmit() {
        core.arrive();
        core.publish(ran::incrementAndGet);
    }

    @Actor
    public void submitAndWork(III_Result result) {
        if (core.arrive()) {
            core.publish(ran::incrementAndGet);
            result.r1 = 1;
        }
        scheduler.drain(core);
    }

    @Actor
    public void shutdownNow() {
        taken = core.shutdownNow().size();
    }

    @Arbiter
    public void end(III_Result result) {
        scheduler.drain(core);
        result.r2 = ran.get() + taken;
        result.r3 = terminated;
    }
}
