// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import dev.spindle.internal.WorkerContext;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** A withdrawal meets the run: the submission is withdrawn or runs, and the slot accepts the next one. */
@JCStressTest
@Outcome(id = "true, 1, 1", expect = Expect.ACCEPTABLE, desc = "Withdrawn.")
@Outcome(id = "false, 1, 1", expect = Expect.ACCEPTABLE, desc = "Has run.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Neither, both, or the slot is stuck.")
@State
public class WithdrawAgainstRun {
    private final CountingScheduler scheduler = new CountingScheduler();
    private final LaneCore lane = scheduler.lane();
    private final Entry entry = new Entry(() -> {});
    private final CoalescingSlot cell;

    /** The submission waits, and the lane has been taken for its turn. */
    public WithdrawAgainstRun() {
        cell = Objects.requireNonNull(lane.offer(null, entry));
        scheduler.take();
    }

    @Actor
    public void turn() {
        lane.turn(new WorkerContext(scheduler, Long.MAX_VALUE));
    }

    @Actor
    public void withdraw(ZII_Result result) {
        result.r1 = cell.withdraw(entry);
        if (result.r1) {
            entry.withdrawn();
        }
    }

    @Arbiter
    public void end(ZII_Result result) {
        Entry next = new Entry(() -> {});
        lane.offer(null, next);
        scheduler.drain(lane);
        result.r2 = entry.ends();
        result.r3 = next.ran;
    }
}
