// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.jcstress;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A wrong program, two plain increments, which shows that a forbidden outcome fails the build. Between its read and its
 * write each actor waits a while for the read of the other, so that the fault also occurs on one processor.
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both increments took effect.")
@Outcome(id = "1", expect = Expect.FORBIDDEN, desc = "One increment is lost.")
@State
public class LostIncrement {
    private static final int TRIES = 100;

    private final AtomicInteger reads = new AtomicInteger();
    private int value;

    @Actor
    public void first() {
        increment();
    }

    @Actor
    public void second() {
        increment();
    }

    @Arbiter
    public void sum(I_Result result) {
        result.r1 = value;
    }

    private void increment() {
        int read = value;
        reads.incrementAndGet();
        for (int i = 0; i < TRIES && reads.get() < 2; i++) {
            Thread.yield();
        }
        value = read + 1;
    }
}
