// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.limit;

import dev.spindle.internal.lane.CountingScheduler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The end of the last work outside the word, such as a delayed task, meets a shutdown: one of them terminates the
 * executor, and the effects of the work are visible then.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Terminated, after the work had ended.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Never terminated, or too early.")
@State
public class TokenEndAgainstShutdown {
    private final ConcurrencyLimiter core = new ConcurrencyLimiter(
            "test", new CountingScheduler(), action -> {}, 1, ConcurrencyLimiter.UNBOUNDED, this::terminated);
    private volatile int terminated;
    private volatile int early;
    private int work;

    /** Work outside the word is open. */
    public TokenEndAgainstShutdown() {
        core.beginOutside();
    }

    private void terminated() {
        if (work == 0) {
            early = 1;
        }
        terminated = 1;
    }

    @Actor
    public void end() {
        work = 1;
        core.endOutside();
    }

    @Actor
    public void shutdown() {
        core.shutdown();
    }

    @Arbiter
    public void look(II_Result result) {
        result.r1 = terminated;
        result.r2 = early;
    }
}
