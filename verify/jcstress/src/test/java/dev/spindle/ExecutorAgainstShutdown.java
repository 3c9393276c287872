// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The creation of a logical executor meets the shutdown of its spindle: its creator or the spindle shuts it down.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Shut down, and the spindle has terminated.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Shut down by neither, or the spindle never terminates.")
@State
public class ExecutorAgainstShutdown {
    private final Spindle spindle =
            Spindle.builder().coreThreads(1).maxThreads(1).build(); // no thread, as nothing is submitted
    private @Nullable LogicalExecutor made;

    @Actor
    public void make() {
        made = spindle.executorBuilder("late").build();
    }

    @Actor
    public void shutdown() {
        spindle.shutdown();
    }

    @Arbiter
    public void end(ZZ_Result result) {
        result.r1 = Objects.requireNonNull(made).isShutdown();
        result.r2 = spindle.isTerminated();
    }
}
