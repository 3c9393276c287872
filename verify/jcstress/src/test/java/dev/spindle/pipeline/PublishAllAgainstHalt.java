// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.util.List;
import java.util.concurrent.CancellationException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * A publisher of thirty events at a time meets the end of a halt: all are dropped, or it is refused and none is dropped
 * (PublisherGate-3, PublisherGate-6).
 */
@JCStressTest
@Outcome(id = "true, 30", expect = Expect.ACCEPTABLE, desc = "Accepted, and all dropped.")
@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "Refused, and none dropped.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Only some were dropped, or they were lost, or refused and dropped.")
@State
public class PublishAllAgainstHalt {
    private static final int COUNT = 30;

    private final Ring<int[]> ring = new Ring<>(new RingLayout(32), false, () -> new int[1]);
    private final PublisherGate<int[]> gate =
            new PublisherGate<>("test", ring, (sequence, filler) -> {}, new HostExecutor(null));
    private final long from;

    /** The slots are claimed, and the halt has begun. */
    public PublishAllAgainstHalt() {
        ring.gateBy(List.of(new Sequence()));
        from = gate.tryClaim(COUNT);
        gate.halt(new CancellationException());
    }

    @Actor
    public void publish(ZI_Result result) {
        gate.commit(from, from + COUNT);
        result.r1 = gate.committed(from + COUNT - 1);
    }

    @Actor
    public void end(ZI_Result result) {
        result.r2 = gate.left(true).size();
    }
}
