// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.WorkerContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** The end of a turn meets the sweep for idle lanes: the sweep sees the idle lane, or another sweep is scheduled. */
@JCStressTest
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "One sweep is scheduled, and finally the lane is retired.")
@Outcome(expect = Expect.FORBIDDEN, desc = "No sweep is scheduled, and the lane stays; or more than one is.")
@State
public class TurnAgainstSweep {
    private static final int ENOUGH = 8;

    private final CountingScheduler scheduler = new CountingScheduler();
    private final AtomicInteger sweeps = new AtomicInteger();
    private final LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, sweeps::incrementAndGet, lane -> {});
    private final LaneCore lane = table.add(new LaneSpace(table, "keys")).lane("key");

    /** A sweep is scheduled; a task waits, and the lane has been taken for its turn. */
    public TurnAgainstSweep() {
        lane.push(() -> {});
        scheduler.take();
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Actor
    public void sweep() {
        sweeps.decrementAndGet();
        table.sweep();
    }

    @Arbiter
    public void end(IZ_Result result) {
        result.r1 = sweeps.get();
        for (int i = 0; i < ENOUGH && sweeps.get() > 0; i++) {
            sweep();
        }
        result.r2 = lane.isDead();
    }
}
