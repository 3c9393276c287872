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

/** A submitter comes to a full bound while its executor is shut down: it does not wait. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Refused at once.")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "It waits until its limit.")
@State
public class WaitAgainstRefusal {
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(10);
    private static volatile boolean lost; // one is enough, so later rounds need not wait

    private final CountedPermits places = new CountedPermits(0);
    private volatile boolean shut;

    @Actor
    public void submit(Z_Result result) {
        long begin = System.nanoTime();
        try {
            boolean in = places.await(lost ? 0 : LIMIT, 0, () -> shut);
            result.r1 = !in && System.nanoTime() - begin < LIMIT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lost |= !result.r1;
    }

    @Actor
    public void shutdown() {
        shut = true;
        places.refuse();
    }
}
