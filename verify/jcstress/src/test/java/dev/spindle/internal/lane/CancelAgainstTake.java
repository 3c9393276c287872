// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.WorkerContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The withdrawal of all waiting tasks meets a turn: each task runs or is returned, never both, and none is lost. After
 * the return of the withdrawal at most one task starts: the one that was about to.
 */
@JCStressTest
@Outcome(id = "3, 0, [01]", expect = Expect.ACCEPTABLE, desc = "Each once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A task is lost, or both run and returned, or missed by the withdrawal.")
@State
public class CancelAgainstTake {
    private static final int TASKS = 3;

    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private final int[] ran = new int[TASKS];
    private final List<Runnable> tasks = new ArrayList<>();
    private List<Runnable> returned = List.of();
    private volatile boolean cancelled;
    private int late;

    /** Three tasks wait, and the lane has been taken for their turn. */
    public CancelAgainstTake() {
        for (int i = 0; i < TASKS; i++) {
            int task = i;
            tasks.add(() -> {
                ran[task]++;
                late += cancelled ? 1 : 0;
            });
            lane.push(tasks.get(i));
        }
        scheduler.take();
    }

    @Actor
    public void cancel() {
        returned = lane.cancelPending();
        cancelled = true;
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Arbiter
    public void end(III_Result result) {
        scheduler.drain(lane);
        for (int i = 0; i < TASKS; i++) {
            int ends = ran[i] + Collections.frequency(returned, tasks.get(i));
            result.r1 += ends;
            result.r2 += ends == 1 ? 0 : 1;
        }
        result.r3 = late;
    }
}
