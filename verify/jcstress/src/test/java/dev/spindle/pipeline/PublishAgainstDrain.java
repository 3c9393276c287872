// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.ClosedException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZIZ_Result;

/**
 * A publisher meets a drain: its event is handled before the drain ends, or it is refused and no stage handles the
 * event (PublisherGate-3).
 */
@JCStressTest
@Outcome(id = "true, 2, true", expect = Expect.ACCEPTABLE, desc = "Accepted, handled, then drained.")
@Outcome(id = "false, 1, true", expect = Expect.ACCEPTABLE, desc = "Refused, and not handled.")
@Outcome(
        expect = Expect.FORBIDDEN,
        desc = "Accepted and not handled, refused and handled, handled after the end, or no end.")
@State
public class PublishAgainstDrain {
    private static final int TOO_LATE = 100;

    private final CountingLane lane = new CountingLane();
    private int handled;
    private @Nullable CompletableFuture<@Nullable Void> end;
    private boolean accepted;
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(name -> lane, "pipeline", () -> new int[1])
            .capacity(2)
            .stage("any", event -> handled += end != null && end.isDone() ? TOO_LATE : 1)
            .build();

    /** There is an event, and the stage was called for it. */
    public PublishAgainstDrain() {
        pipeline.offer(event -> event[0] = 1);
    }

    @Actor
    public void publish() {
        try {
            accepted = pipeline.offer(event -> event[0] = 2);
        } catch (ClosedException e) {
            accepted = false;
        }
    }

    @Actor
    public void drain() {
        end = pipeline.drain().toCompletableFuture();
        lane.run();
    }

    @Arbiter
    public void end(ZIZ_Result result) {
        lane.run();
        result.r1 = accepted;
        result.r2 = handled;
        result.r3 = Objects.requireNonNull(end).isDone();
    }
}
