// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two publishers claim at the same time: each gets a number of its own, and both events are handled (Ring-2). */
@JCStressTest
@Outcome(id = "2, 3", expect = Expect.ACCEPTABLE, desc = "Both events, once each.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An event is lost, or was handled twice.")
@State
public class PublishAgainstPublish {
    private final CountingLane lane = new CountingLane();
    private int handled;
    private int sum;
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(name -> lane, "pipeline", () -> new int[1])
            .capacity(2)
            .stage("any", event -> {
                handled++;
                sum += event[0];
            })
            .build();

    @Actor
    public void first() {
        pipeline.offer(event -> event[0] = 1);
    }

    @Actor
    public void second() {
        pipeline.offer(event -> event[0] = 2);
    }

    @Arbiter
    public void end(II_Result result) {
        lane.run();
        result.r1 = handled;
        result.r2 = sum;
    }
}
