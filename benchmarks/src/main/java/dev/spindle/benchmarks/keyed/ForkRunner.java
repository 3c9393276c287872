// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.ForkedJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs the forks of a plan, one after the other. */
final class ForkRunner {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final double scale;

    /** @param scale the factor by which each fork scales its cell: 1 for the real thing */
    ForkRunner(double scale) {
        this.scale = scale;
    }

    ForkResult run(Plan.Fork fork) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                fork.cell().name(), fork.contender().id(), Double.toString(scale), Integer.toString(fork.round()));
        ForkedJvm.Output output = ForkedJvm.start(KeyedFork.class, ForkedJvm.COMPARISON, arguments, LIMIT);
        Optional<String> measured = output.line(ForkedJvm.RESULT);
        if (measured.isPresent()) {
            return ForkResult.measured(fork, Measurement.decode(measured.get()));
        }
        Optional<String> stalled = output.line(ForkedJvm.STALLED);
        return ForkResult.failed(fork, stalled.isPresent() ? "stalled: " + stalled.get() : output.problem());
    }
}
