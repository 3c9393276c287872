// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A wrong program: two plain increments. It shows that a forbidden outcome fails the build. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Both increments are there.")
@Outcome(id = "1", expect = Expect.FORBIDDEN, desc = "One increment is lost.")
@State
public class LostIncrement {
    private int value;

    @Actor
    public void first() {
        value++;
    }

    @Actor
    public void second() {
        value++;
    }

    @Arbiter
    public void sum(I_Result result) {
        result.r1 = value;
    }
}
