// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A publisher claims the slot of an event that a stage handles: it gets the slot after the handler, and sees its writes
 * (Ring-1).
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "No slot is free yet.")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The slot is free, and the writes of the stage are visible.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The slot was claimed during the handler, or its writes are not visible.")
@State
public class ReuseAgainstHandle {
    private final CountingLane lane = new CountingLane();
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(name -> lane, "pipeline", () -> new int[1])
            .capacity(1)
            .stage("any", event -> event[0] = 2)
            .build();

    /** The one slot is used, and the stage was called for it. */
    public ReuseAgainstHandle() {
        pipeline.offer(event -> event[0] = 1);
    }

    @Actor
    public void handle() {
        lane.run();
    }

    @Actor
    public void publish(I_Result result) {
        pipeline.offer(event -> result.r1 = event[0]);
    }
}
