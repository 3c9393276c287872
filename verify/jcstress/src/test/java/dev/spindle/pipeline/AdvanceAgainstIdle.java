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

/**
 * A stage that advances and then reads whether the next one is idle meets the next one, which becomes idle and then
 * looks for events: one of them sees the other (Stage-2).
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The second stage was called, or saw the event.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The event is stuck between the stages, or was handled twice.")
@State
public class AdvanceAgainstIdle {
    private final CountingLane first = new CountingLane();
    private final CountingLane second = new CountingLane();
    private int handled;
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(
                    name -> name.endsWith("first") ? first : second, "pipeline", () -> new int[1])
            .capacity(2)
            .stage("first", event -> event[0]++)
            .stage("second", event -> handled++)
            .after("first")
            .build();

    /** The second stage was called for one event, the first for another. */
    public AdvanceAgainstIdle() {
        pipeline.offer(event -> event[0] = 1);
        first.run();
        pipeline.offer(event -> event[0] = 2);
    }

    @Actor
    public void advance() {
        first.run();
    }

    @Actor
    public void idle() {
        second.run();
    }

    @Arbiter
    public void end(I_Result result) {
        second.run();
        result.r1 = handled;
    }
}
