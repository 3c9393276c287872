// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.ForkAnswer;
import dev.spindle.benchmarks.forks.ForkedJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

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
        return ForkAnswer.read(
                output,
                line -> ForkResult.measured(fork, Measurement.decode(line)),
                problem -> ForkResult.failed(fork, problem));
    }
}
