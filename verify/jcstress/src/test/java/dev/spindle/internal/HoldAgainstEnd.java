// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** What is handed in late, and the end of its executor: one of them sees the other (Lifetime-1). */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "It is held, and does not end.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "It has ended, and is not held.")
@Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "What was accepted never runs.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "It refuses and goes on.")
@State
public class HoldAgainstEnd {
    private final Lifetime lifetime = Lifetime.ofNothing();

    @Actor
    public void submit(ZZ_Result result) {
        result.r1 = lifetime.hold();
    }

    @Actor
    public void terminate(ZZ_Result result) {
        result.r2 = lifetime.end(lifetime.look());
    }
}
