// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.ClosedException;
import java.util.Collections;
import java.util.List;
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
 * A publisher of thirty events at a time meets a drain: all are handled before the drain ends, or it is refused and no
 * stage handles any (PublisherGate-3, PublisherGate-6).
 */
@JCStressTest
@Outcome(id = "true, 31, true", expect = Expect.ACCEPTABLE, desc = "Accepted, all handled, then drained.")
@Outcome(id = "false, 1, true", expect = Expect.ACCEPTABLE, desc = "Refused, and none handled.")
@Outcome(
        expect = Expect.FORBIDDEN,
        desc = "Only some handled, accepted and not handled, refused and handled, handled after the end, or no end.")
@State
public class PublishAllAgainstDrain {
    private static final int TOO_LATE = 100;
    private static final List<Integer> MANY = Collections.nCopies(30, 2);

    private final CountingLane lane = new CountingLane();
    private int handled;
    private @Nullable CompletableFuture<@Nullable Void> end;
    private boolean accepted;
    private final Pipeline<int[]> pipeline = new PipelineBuilder<>(name -> lane, "pipeline", () -> new int[1])
            .capacity(32)
            .stage("any", event -> handled += end != null && end.isDone() ? TOO_LATE : 1)
            .build();

    /** There is an event, and the stage was called for it. */
    public PublishAllAgainstDrain() {
        pipeline.offer(event -> event[0] = 1);
    }

    @Actor
    public void publish() {
        try {
            accepted = pipeline.offerAll((event, value) -> event[0] = value, MANY);
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
