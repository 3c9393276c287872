// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import dev.spindle.internal.pool.size.AwakeLimit;
import dev.spindle.internal.pool.watch.WatchdogState;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A worker begins to work while the clock thread finds that no worker works, and ends the looks for stuck work. The
 * looks go on, or the worker begins them anew (WatchdogState-1).
 */
@JCStressTest
@Outcome(id = ".*, false", expect = Expect.FORBIDDEN, desc = "A worker works, and no look will see it.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The worker wakes the clock thread.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The looks go on.")
@State
public class WorkAgainstRest {
    private final WatchdogState watch = new WatchdogState(new AwakeLimit(1, 1, 1, true), 1);
    private volatile boolean working;

    public WorkAgainstRest() {
        boolean begun = watch.beginWork();
        boolean due = watch.isStuckLookDue(0);
        if (!begun || due) {
            throw new AssertionError();
        }
    }

    @Actor
    public void work(ZZ_Result result) {
        working = true;
        result.r1 = watch.beginWork();
    }

    @Actor
    public void look() {
        boolean unused = watch.beginStuckLook();
        if (!working) {
            boolean unusedToo = watch.endStuckWatch();
        }
    }

    @Arbiter
    public void end(ZZ_Result result) {
        result.r2 = watch.isOn();
    }
}
