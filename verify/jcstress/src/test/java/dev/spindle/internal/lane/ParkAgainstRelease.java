// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.QueueScheduler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A turn that leaves its lane to an async task meets the end of that task: its permit is given back once. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "One permit is free, and the next task has run.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The permit was given back twice or never, or a task is lost.")
@State
public class ParkAgainstRelease {
    private final QueueScheduler scheduler = new QueueScheduler();
    private final LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, () -> {}, lane -> {});
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));
    private final LaneCore lane = keys.lane("key");
    private volatile boolean open;
    private int ran;

    /** The lane has a permit, a task that opens an async task, and a task behind it. */
    public ParkAgainstRelease() {
        keys.setMaxConcurrency(1);
        lane.push(() -> {
            lane.hold(0);
            open = true;
        });
        lane.push(() -> ran++);
    }

    @Actor
    public void turn() {
        scheduler.work();
    }

    @Actor
    public void release() {
        while (!open) {
            Thread.onSpinWait();
        }
        lane.release();
    }

    @Arbiter
    public void end(II_Result result) {
        while (scheduler.work()) {}
        result.r2 = ran;
        keys.lane("a").push(() -> {});
        keys.lane("b").push(() -> {});
        result.r1 = scheduler.size();
    }
}
