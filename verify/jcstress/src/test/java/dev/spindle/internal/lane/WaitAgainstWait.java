// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.WorkerContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A turn that waits for a second lane meets the second lane's turn, which waits for the first: one of them is refused.
 */
@JCStressTest
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Both wait without end.")
@Outcome(id = ".*", expect = Expect.ACCEPTABLE, desc = "One of them or both are refused.")
@State
public class WaitAgainstWait {
    private static final Future<?> NEVER = new CompletableFuture<Object>();

    /** A lane in its turn, on a thread of its own. */
    private static final class Side {
        final CountingScheduler scheduler = new CountingScheduler();
        final LaneCore lane = scheduler.lane();
        final WorkerContext worker = new WorkerContext(scheduler, Long.MAX_VALUE);
        boolean refused;
        volatile boolean decided;

        void waitFor(Side other) {
            try {
                WaitGraph.begin(worker, other.lane, NEVER);
            } catch (IllegalStateException e) {
                refused = true;
            }
            decided = true;
            while (!other.decided) { // in its turn, as a waiting task is
                Thread.yield();
            }
        }
    }

    private final Side left = new Side();
    private final Side right = new Side();

    /** Each lane has a task that waits for the other lane, and both have been taken for their turns. */
    public WaitAgainstWait() {
        left.lane.push(() -> left.waitFor(right));
        right.lane.push(() -> right.waitFor(left));
        left.scheduler.take();
        right.scheduler.take();
    }

    @Actor
    public void left(ZZ_Result result) {
        left.lane.turn(left.worker);
        result.r1 = left.refused;
    }

    @Actor
    public void right(ZZ_Result result) {
        right.lane.turn(right.worker);
        result.r2 = right.refused;
    }
}
