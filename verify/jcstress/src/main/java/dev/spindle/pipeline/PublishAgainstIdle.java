// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A publisher that commits and then looks who is idle meets a stage that goes idle and then looks for events: one sees the other (N3, U2). */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The stage was called, or saw the event.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The event waits for the next one, or came twice.")
@State
public class PublishAgainstIdle {
    private final HandLane lane = new HandLane();
    private int handled;
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(name -> lane, () -> new int[1], 2)
            .stage("any", event -> handled++)
            .start();

    /** An event is there, and the stage was called for it. */
    public PublishAgainstIdle() {
        pipeline.offer(event -> event[0] = 1);
    }

    @Actor
    public void publish() {
        pipeline.offer(event -> event[0] = 2);
    }

    @Actor
    public void idle() {
        lane.run();
    }

    @Arbiter
    public void end(I_Result result) {
        lane.run();
        result.r1 = handled;
    }
}
