// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.ForkAnswer;
import dev.spindle.benchmarks.forks.ForkedJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Runs the forks of a comparison, one after the other. */
final class ForkRunner {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration SHORT_LIMIT = Duration.ofSeconds(20);

    private final Comparison comparison;
    private final Subject.Scale scale;
    private final int repeats;

    /** @param repeats how often at most a fork runs again because others disturbed it */
    ForkRunner(Comparison comparison, Subject.Scale scale, int repeats) {
        this.comparison = comparison;
        this.scale = scale;
        this.repeats = repeats;
    }

    ForkResult run(ForkResult.Fork fork) throws IOException, InterruptedException {
        ForkResult result = runOnce(fork);
        for (int repeat = 0; repeat < repeats && result.disturbed(); repeat++) {
            result = result.orCalmer(runOnce(fork));
        }
        return result;
    }

    private ForkResult runOnce(ForkResult.Fork fork) throws IOException, InterruptedException {
        List<String> arguments = List.of(fork.cell().name(), fork.contender().id(), Double.toString(scale.factor()));
        ForkedJvm.Output output =
                ForkedJvm.start(comparison.main(), comparison.jvm(), arguments, scale.full() ? LIMIT : SHORT_LIMIT);
        return ForkAnswer.read(
                output,
                line -> ForkResult.measured(fork, Measurement.decode(line)),
                problem -> ForkResult.failed(fork, problem));
    }
}
