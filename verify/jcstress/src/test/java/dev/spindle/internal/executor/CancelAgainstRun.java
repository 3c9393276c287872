// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import dev.spindle.internal.stage.Origin;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Two threads start the task of a future, and the second then cancels it with an interrupt. At most one of them runs
 * the task, and the interrupt is sent before that run returns, or not at all: it never hits the thread's next task.
 */
@JCStressTest
@Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "Run once, and the next task is not hit.")
@Outcome(id = "0, false", expect = Expect.ACCEPTABLE, desc = "Cancelled between the claim and the task.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Run by both, or the interrupt hit the next task.")
@State
public class CancelAgainstRun {
    private static final Pool POOL = Pool.of(Spindle.create()); // has no threads while it has no work
    private static final Origin ORIGIN = new Origin("test", POOL, POOL.lifetime(), null, null);
    private final AtomicInteger runs = new AtomicInteger();
    private final TaskFuture<?> future = new TaskFuture<>(ORIGIN, null, (Runnable) this::task);
    private volatile boolean cancelling;
    private volatile boolean sent;

    private void task() {
        runs.incrementAndGet();
        while (!cancelling) { // ends just when it is cancelled
            Thread.yield();
        }
    }

    @Actor
    public void run(IZ_Result result) {
        future.run();
        while (!sent) {
            Thread.yield();
        }
        result.r2 = Thread.interrupted();
    }

    @Actor
    public void runAndCancel() {
        cancelling = true;
        future.run();
        future.cancel(true);
        sent = true;
    }

    @Arbiter
    public void end(IZ_Result result) {
        result.r1 = runs.get();
    }
}
