// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.pool.watch.WatchdogState;
import dev.spindle.internal.queue.RunQueue;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A worker adds to its run queue and wakes no thread, since its entries are left to it. It meets the clock thread,
 * which ends that state and then reads the queue: the worker sees that it has to wake another, or the clock thread sees
 * the entry.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "No thread but the worker sees the entry.")
@Outcome(id = ".*", expect = Expect.ACCEPTABLE, desc = "The worker wakes another, or the clock thread finds the entry.")
@State
public class OwnerAffineAddAgainstEnd {
    private final RunQueue queue = new RunQueue(2);
    private final WatchdogState watch = new WatchdogState(new AwakeLimit(1, 1, 1, true), 0);

    public OwnerAffineAddAgainstEnd() {
        watch.leaveOwnerAffine(0);
    }

    @Actor
    public void add(ZZ_Result result) {
        queue.offer(this, 0);
        VarHandle.fullFence();
        result.r1 = watch.isOwnerAffine();
    }

    @Actor
    public void look(ZZ_Result result) {
        watch.endUnwatched();
        result.r2 = queue.isEmpty();
    }
}
