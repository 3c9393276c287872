// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.lane;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Two submits make the lane of a key and find the executor shut down: the later of them learns that no lane is left.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The later one has seen the table empty.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Neither learned it: the executor never terminates.")
@State
public class MakeAgainstMake {
    private final LaneTable table = new LaneTable(new CountingScheduler(), Integer.MAX_VALUE, () -> {}, this::died);
    private final LaneSpace keys = table.add(new LaneSpace(table, "keys"));

    private volatile boolean told;

    private void died(LaneCore lane) {
        if (table.isEmpty()) {
            told = true;
        }
    }

    @Actor
    public void first() {
        keys.lane("key").tryRetire();
    }

    @Actor
    public void second() {
        keys.lane("key").tryRetire();
    }

    @Arbiter
    public void end(ZZ_Result result) {
        result.r1 = table.isEmpty();
        result.r2 = told;
    }
}
