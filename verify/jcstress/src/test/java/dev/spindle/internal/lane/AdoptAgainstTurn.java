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

/**
 * The first limit of a space meets a turn, of which it may count the permit: a permit that it has taken for the turn is
 * given back once.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "One permit is free afterwards, and the task has run.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The permit was given back twice or never, or the task is lost.")
@State
public class AdoptAgainstTurn {
    private final QueueScheduler scheduler = new QueueScheduler();
    private final LaneTable table = new LaneTable(scheduler, Integer.MAX_VALUE, () -> {}, lane -> {});
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));
    private int ran;

    /** A lane is ready, without a permit. */
    public AdoptAgainstTurn() {
        keys.lane("key").push(() -> ran++);
    }

    @Actor
    public void turn() {
        scheduler.work();
    }

    @Actor
    public void limit() {
        keys.setMaxConcurrency(1);
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
