// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A late hold meets the end of its executor: one of them sees the other (Lifetime-1). */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Held, and not ended.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "Ended, and the hold is refused.")
@Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "Both: accepted work never runs.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Neither: refused, and not ended.")
@State
public class HoldAgainstEnd {
    private final Lifetime lifetime = new Lifetime((Lifetime) null);

    @Actor
    public void submit(ZZ_Result result) {
        result.r1 = lifetime.hold();
    }

    @Actor
    public void terminate(ZZ_Result result) {
        result.r2 = lifetime.end(lifetime.look());
    }
}
