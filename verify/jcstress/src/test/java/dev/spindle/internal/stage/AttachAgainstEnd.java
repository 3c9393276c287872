// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stage;

import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import dev.spindle.internal.executor.TaskFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A stage is attached while the future completes: the stage knows that the task has ended. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The end is known.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Derived futures wait for a task that has ended.")
@State
public class AttachAgainstEnd {
    private static final Pool POOL = Pool.of(Spindle.create()); // has no threads while it has no work
    private static final Origin ORIGIN = new Origin("test", POOL, POOL.lifetime(), null, null);
    private final TaskFuture<?> task = new TaskFuture<>(ORIGIN, null, (Runnable) () -> {});
    private final StageFuture<?> future = task;

    @Actor
    public void complete() {
        task.run();
    }

    @Actor
    public void attach() {
        future.continuations();
    }

    @Arbiter
    public void end(Z_Result result) {
        result.r1 = future.continuations().isOver();
    }
}
