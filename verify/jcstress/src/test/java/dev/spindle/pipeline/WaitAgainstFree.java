// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * A publisher that finds the ring full and begins to wait meets the last stage, which frees the slot: the publisher
 * gets it without a third thread (PublisherGate-2).
 */
@JCStressTest
@Outcome(id = "true, 2", expect = Expect.ACCEPTABLE, desc = "Published.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The publisher waits although a slot is free, or the event is lost.")
@State
public class WaitAgainstFree {
    private final CountingLane lane = new CountingLane();
    private int handled;
    private @Nullable CompletionStage<@Nullable Void> published;
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(name -> lane, "pipeline", () -> new int[1])
            .capacity(1)
            .stage("any", event -> handled++)
            .build();

    /** The one slot is used, and the stage was called for it. */
    public WaitAgainstFree() {
        pipeline.offer(event -> event[0] = 1);
    }

    @Actor
    public void free() {
        lane.run();
    }

    @Actor
    public void publish() {
        published = pipeline.publishAsync(event -> event[0] = 2);
    }

    @Arbiter
    public void end(ZI_Result result) {
        result.r1 = Objects.requireNonNull(published).toCompletableFuture().isDone();
        lane.run();
        result.r2 = handled;
    }
}
