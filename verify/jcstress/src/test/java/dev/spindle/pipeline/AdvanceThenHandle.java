// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A stage handles an event after the stage before it, and sees its writes (Stage-3). */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "The second stage did not handle the event yet.")
@Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "It handled the event, and saw the write of the first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "It handled the event before the first stage, or did not see its write.")
@State
public class AdvanceThenHandle {
    private final CountingLane first = new CountingLane();
    private final CountingLane second = new CountingLane();
    private int seen;
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(
                    name -> name.endsWith("first") ? first : second, "pipeline", () -> new int[1])
            .capacity(2)
            .stage("first", event -> event[0]++)
            .stage("second", (event, sequence, endOfBatch) -> {
                if (sequence == 1) {
                    seen = event[0];
                }
            })
            .after("first")
            .build();

    /** The second stage was called for one event, the first for another. */
    public AdvanceThenHandle() {
        pipeline.offer(event -> event[0] = 1);
        first.run();
        pipeline.offer(event -> event[0] = 2);
    }

    @Actor
    public void first() {
        first.run();
    }

    @Actor
    public void second(I_Result result) {
        second.run();
        result.r1 = seen;
    }
}
