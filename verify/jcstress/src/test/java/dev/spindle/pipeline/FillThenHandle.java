// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A stage handles an event after its filler, and sees its writes (Ring-3). */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "The stage did not handle the event yet.")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "It handled the event, and saw the write of the filler.")
@Outcome(
        expect = Expect.FORBIDDEN,
        desc = "It handled the event before the filler had ended, or did not see its write.")
@State
public class FillThenHandle {
    private final CountingLane lane = new CountingLane();
    private int seen;
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(name -> lane, "pipeline", () -> new int[] {1})
            .capacity(2)
            .stage("any", (event, sequence, endOfBatch) -> {
                if (sequence == 1) {
                    seen = event[0];
                }
            })
            .build();

    /** There is an event, and the stage was called for it. */
    public FillThenHandle() {
        pipeline.offer(event -> event[0] = 1);
    }

    @Actor
    public void publish() {
        pipeline.offer(event -> event[0] = 2);
    }

    @Actor
    public void handle(I_Result result) {
        lane.run();
        result.r1 = seen;
    }
}
