// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A publisher that commits and then looks for idle stages meets a stage that becomes idle and then looks for events:
 * one of them sees the other (Ring-3, Stage-2).
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The stage was called, or saw the event.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The event waits for the next one, or was handled twice.")
@State
public class PublishAgainstIdle {
    private final CountingLane lane = new CountingLane();
    private int handled;
    private final RingLayout layout = new RingLayout(1);
    private final Ring<int[]> ring = new Ring<>(layout, false, () -> new int[1]);
    private final PublisherGate<int[]> gate =
            new PublisherGate<>("test", ring, (sequence, filler) -> {}, new HostExecutor(null));
    private final Stage<int[]> stage = new Stage.Serial<>(
            new Stage.Plan<>(
                    "any",
                    (event, sequence, endOfBatch) -> handled++,
                    true,
                    ErrorPolicy.halt(),
                    1,
                    ring,
                    layout,
                    gate,
                    cause -> handled--),
            lane);
    private final long claimed;

    /** A number is claimed, and the stage has been called although there is no event yet. */
    public PublishAgainstIdle() {
        ring.gateBy(List.of(stage.done));
        stage.connect(List.of(), List.of(), List.of());
        claimed = ring.tryClaim(1);
        stage.wake();
    }

    @Actor
    public void publish() {
        ring.commit(claimed);
        stage.wake();
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
