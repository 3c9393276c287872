// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.lane.CountingScheduler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * An interrupt of an executor's tasks meets a worker that leaves the executor, and has a second turn without a task:
 * the interrupt is sent before either turn returns, or not at all. So it never hits the thread's next task.
 */
@JCStressTest
@Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "The next task is not hit.")
@Outcome(id = "true", expect = Expect.FORBIDDEN, desc = "The interrupt hit the next task.")
@State
public class TokenInterruptAgainstLeave {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final WorkerContext worker = new WorkerContext(scheduler, Long.MAX_VALUE);
    private final ConcurrencyLimiter core = new ConcurrencyLimiter(
            "test", scheduler, action -> action.accept(worker), 1, ConcurrencyLimiter.UNBOUNDED, () -> {});
    private volatile boolean sent;

    /** A task waits, and the token on offer has been taken for its turn. */
    public TokenInterruptAgainstLeave() {
        core.arrive();
        core.publish(() -> {});
        scheduler.take();
    }

    @Actor
    public void interrupt() {
        core.interruptRunning();
        sent = true;
    }

    @Actor
    public void turn(Z_Result result) {
        worker.bind();
        core.turn(worker);
        core.turn(worker); // an offer without tasks, as after a withdrawal
        worker.unbind();
        Thread.interrupted(); // as a worker does before each task
        while (!sent) {
            Thread.yield();
        }
        result.r1 = Thread.interrupted();
    }
}
