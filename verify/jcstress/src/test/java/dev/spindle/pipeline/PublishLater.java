// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * With one publisher, the filler of an event that waited runs on the worker that freed its slot, while the publisher
 * continues: events are handled once, filled and in sequence (PublisherGate-5).
 */
@JCStressTest
@Outcome(id = "true, 1234", expect = Expect.ACCEPTABLE, desc = "The next event was published behind it.")
@Outcome(id = "false, 123", expect = Expect.ACCEPTABLE, desc = "There was no slot for the next event yet.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An event was not filled, or is lost.")
@State
public class PublishLater {
    private static final int TEN = 10;

    private final CountingLane lane = new CountingLane();
    private int handled;
    private boolean accepted;
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(name -> lane, "pipeline", () -> new int[1])
            .capacity(2)
            .singlePublisher(true)
            .stage("any", event -> handled = TEN * handled + event[0])
            .build();

    /** The ring is full, the stage was called, and an event waits. */
    public PublishLater() {
        pipeline.offer(event -> event[0] = 1);
        pipeline.offer(event -> event[0] = 2);
        var unused = pipeline.publishAsync(event -> event[0] = 3);
    }

    @Actor
    public void handle() {
        lane.run();
    }

    @Actor
    public void publish() {
        accepted = pipeline.offer(event -> event[0] = 4);
    }

    @Arbiter
    public void end(ZI_Result result) {
        lane.run();
        result.r1 = accepted;
        result.r2 = handled;
    }
}
