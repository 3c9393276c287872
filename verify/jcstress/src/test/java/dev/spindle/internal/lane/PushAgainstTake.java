// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.WorkerContext;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A push on a full chunk meets the turn that takes all: each task runs once, in order. */
@JCStressTest
@Outcome(id = "7, 0", expect = Expect.ACCEPTABLE, desc = "All, in order.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A task is lost, run twice, or out of order.")
@State
public class PushAgainstTake {
    private static final int WAITING = 1 + Chunk.SMALLEST;

    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private int ran;
    private int disorder;

    /** A task and a full chunk wait, and the lane has been taken for their turn. */
    public PushAgainstTake() {
        for (int i = 0; i < WAITING; i++) {
            push(i);
        }
        scheduler.take();
    }

    @Actor
    public void push() {
        push(WAITING);
        push(WAITING + 1);
    }

    private void push(int number) {
        lane.push(() -> {
            disorder += ran == number ? 0 : 1;
            ran++;
        });
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Arbiter
    public void end(II_Result result) {
        scheduler.drain(lane);
        result.r1 = ran;
        result.r2 = disorder;
    }
}
