// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A submitter that waits for a place meets a task that gives one back: it gets the place long before its limit. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "It has the place.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "It waits although a place is free.")
@State
public class PlacesWaitAgainstRoom {
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(10);
    private static volatile boolean lost; // one is enough, so later rounds need not wait

    private final CountedPermits places = new CountedPermits(0);

    @Actor
    public void submit(Z_Result result) {
        try {
            result.r1 = places.await(lost ? 0 : LIMIT, 0, () -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lost |= !result.r1;
    }

    @Actor
    public void start() {
        places.giveBack();
    }
}
