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
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A worker that takes the token on offer meets a pause. A task that begins is seen to run by the thread that pauses;
 * else that thread sees nothing run, and nothing begins afterwards, until the end of the pause.
 */
@JCStressTest
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "Paused before the task began, and run later.")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "Paused while the worker was returning the task.")
@Outcome(id = "., 1, 1", expect = Expect.ACCEPTABLE, desc = "The task had begun: it runs, or has ended.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Began after nothing ran any more, was lost, or ran twice.")
@State
public class TokenAcceptAgainstLimit {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core =
            new ConcurrencyLimiter("test", scheduler, action -> {}, 1, ConcurrencyLimiter.UNBOUNDED, () -> {});
    private volatile boolean idle;
    private volatile int afterIdle;
    private int ran;

    /** A task waits, and the token on offer has been taken for its turn. */
    public TokenAcceptAgainstLimit() {
        core.arrive();
        core.publish(() -> {
            ran++;
            afterIdle = idle ? 100 : 0;
        });
        scheduler.take();
    }

    @Actor
    public void turn() {
        core.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Actor
    public void pause(III_Result result) {
        core.setTokens(0);
        result.r1 = core.running();
        idle = result.r1 == 0 && core.estimatedQueued() == 1;
    }

    @Arbiter
    public void end(III_Result result) {
        result.r2 = ran + afterIdle;
        idle = false;
        core.setTokens(1);
        scheduler.drain(core);
        result.r3 = ran;
    }
}
