// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.concurrent.RejectedExecutionException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * A submit to a strand meets the strand's shutdown: the task is refused, or the strand waits for it.
 */
@JCStressTest
@Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "Accepted; the strand waits for the task.")
@Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE, desc = "Refused, and there is nothing to wait for.")
@Outcome(id = "false, false, true", expect = Expect.ACCEPTABLE, desc = "Refused, and the lane that was made is gone.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Accepted by a strand that is terminated, or never terminated.")
@State
public class SubmitAgainstShutdown {
    /** A pool without workers: the task is never run. */
    private static final Thread UNSTARTED = new Thread() {
        @Override
        public synchronized void start() {}
    };

    private final Spindle spindle = Spindle.builder()
            .coreThreads(1)
            .maxThreads(1)
            .threadFactory(worker -> UNSTARTED)
            .build();
    private final Strand strand = spindle.strand("strand");

    @Actor
    public void submit(ZZZ_Result result) {
        try {
            strand.execute(() -> {});
            result.r1 = true;
        } catch (RejectedExecutionException e) {
            result.r1 = false;
        }
    }

    @Actor
    public void shutdown(ZZZ_Result result) {
        strand.shutdown();
        result.r2 = strand.isTerminated();
    }

    @Arbiter
    public void end(ZZZ_Result result) {
        result.r3 = strand.isTerminated();
    }
}
