// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two strands of a parallel stage end adjacent events, one of them in the second round of the ring: the stage advances
 * past both (ParallelStage-2).
 */
@JCStressTest
@Outcome(id = "3, 3", expect = Expect.ACCEPTABLE, desc = "All events were handled once by either stage.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The stage stays behind a mark, or an event was lost or handled twice.")
@State
public class ParallelMarks {
    private final CountingLane[] strands = {new CountingLane(), new CountingLane()};
    private final CountingLane follower = new CountingLane();
    private final AtomicInteger handled = new AtomicInteger();
    private int followed;
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(this::lane, "pipeline", () -> new int[1])
            .capacity(2)
            .parallelStage("many", 2, event -> handled.getAndIncrement())
            .maxBatch(1)
            .stage("one", event -> followed++)
            .after("many")
            .build();

    /** The ring is in use, and each strand was called for an event. */
    public ParallelMarks() {
        pipeline.offer(event -> event[0] = 1);
        strands[0].run();
        follower.run();
        pipeline.offer(event -> event[0] = 2);
        pipeline.offer(event -> event[0] = 3);
    }

    private CountingLane lane(String name) {
        return name.endsWith("#0") ? strands[0] : name.endsWith("#1") ? strands[1] : follower;
    }

    @Actor
    public void first() {
        strands[0].run();
    }

    @Actor
    public void second() {
        strands[1].run();
    }

    @Arbiter
    public void end(II_Result result) {
        follower.run();
        result.r1 = handled.get();
        result.r2 = followed;
    }
}
