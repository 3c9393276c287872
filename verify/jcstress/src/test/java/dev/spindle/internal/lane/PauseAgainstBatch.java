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

/**
 * A pause meets a turn with several tasks: after its return at most one task starts, the one that was about to.
 */
@JCStressTest
@Outcome(id = "0, 4", expect = Expect.ACCEPTABLE, desc = "No task started after the pause.")
@Outcome(id = "1, 4", expect = Expect.ACCEPTABLE, desc = "One task, which was about to start, started after it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "More tasks started, were lost, or ran twice.")
@State
public class PauseAgainstBatch {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private volatile boolean paused;
    private volatile boolean resumed;
    private int late;
    private int ran;

    /** Four tasks wait, and the lane has been taken for their turn. */
    public PauseAgainstBatch() {
        for (int i = 0; i < 4; i++) {
            lane.push(this::task);
        }
        scheduler.take();
    }

    private void task() {
        late += paused && !resumed ? 1 : 0;
        ran++;
    }

    @Actor
    public void pause() {
        lane.pause();
        paused = true;
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Arbiter
    public void end(II_Result result) {
        resumed = true;
        lane.resume();
        scheduler.drain(lane);
        result.r1 = late;
        result.r2 = ran;
    }
}
