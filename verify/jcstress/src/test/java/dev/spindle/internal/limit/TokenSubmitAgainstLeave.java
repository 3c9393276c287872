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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A submit meets the release of the last token: the turn runs the task, or a token is offered. The task sees its data.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The turn ran it.")
@Outcome(
        id = "1, 1",
        expect = Expect.ACCEPTABLE,
        desc = "A token was offered, by the submit or by the worker that left.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost, run twice, or without its data.")
@State
public class TokenSubmitAgainstLeave {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final ConcurrencyLimiter core =
            new ConcurrencyLimiter("test", scheduler, action -> {}, 1, ConcurrencyLimiter.UNBOUNDED, () -> {});
    private int data;
    private int seen;

    /** One task waits, and the token on offer has been taken for its turn. */
    public TokenSubmitAgainstLeave() {
        core.arrive();
        core.publish(() -> {});
        scheduler.take();
    }

    @Actor
    public void submit() {
        data = 1;
        core.arrive();
        core.publish(() -> seen += data == 1 ? 1 : 100);
    }

    @Actor
    public void turn() {
        core.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Arbiter
    public void end(II_Result result) {
        result.r1 = scheduler.readies();
        scheduler.drain(core);
        result.r2 = seen;
    }
}
