// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.ForkedJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs the forks of a plan, one after the other. */
final class ForkRunner {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration SHORT_LIMIT = Duration.ofSeconds(20);

    private final double scale;
    private final double stepsPerMicro;

    /**
     * @param scale the factor by which each fork scales its cell: 1 for the real thing
     * @param stepsPerMicro steps of the tasks' loop in a microsecond, the same for all forks
     */
    ForkRunner(double scale, double stepsPerMicro) {
        this.scale = scale;
        this.stepsPerMicro = stepsPerMicro;
    }

    ForkResult run(Plan.Fork fork) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                fork.cell().name(), fork.contender().id(), Double.toString(scale), Double.toString(stepsPerMicro));
        ForkedJvm.Output output =
                ForkedJvm.start(PoolFork.class, ForkedJvm.COMPARISON, arguments, scale < 1 ? SHORT_LIMIT : LIMIT);
        Optional<String> measured = output.line(ForkedJvm.RESULT);
        if (measured.isPresent()) {
            return ForkResult.measured(fork, Measurement.decode(measured.get()));
        }
        Optional<String> stalled = output.line(ForkedJvm.STALLED);
        return ForkResult.failed(fork, stalled.isPresent() ? "stalled: " + stalled.get() : output.problem());
    }
}
