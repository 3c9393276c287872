// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.CpuQuota;
import dev.spindle.benchmarks.forks.ForkAnswer;
import dev.spindle.benchmarks.forks.ForkedJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the forks of a comparison, one after the other.
 *
 * @param jvm arguments of their JVMs
 * @param repeats how often at most a fork runs again because others disturbed it
 * @param futex whether each runs once more to count system calls
 */
record ForkRunner(Comparison comparison, List<String> jvm, Subject.Scale scale, int repeats, boolean futex) {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration SHORT_LIMIT = Duration.ofSeconds(20);
    /** A fork that takes so many times as long as it should is ended, if it has had the limit above. */
    private static final int SLOWEST = 8;

    ForkResult run(ForkResult.Fork fork) throws IOException, InterruptedException {
        ForkResult result = runOnce(fork);
        for (int repeat = 0; repeat < repeats && result.disturbed(); repeat++) {
            result = result.orCalmer(runOnce(fork));
        }
        Measurement measured = result.measurement();
        if (!futex || measured == null || !Double.isNaN(measured.get(Figure.FUTEX))) {
            return result;
        }
        Measurement counted = start(fork, List.of(), CompareFork.FUTEX).measurement();
        if (counted == null) {
            return result;
        }
        Map<String, Double> values = new LinkedHashMap<>(measured.values());
        values.putAll(counted.values());
        return ForkResult.measured(fork, new Measurement(values));
    }

    private ForkResult runOnce(ForkResult.Fork fork) throws IOException, InterruptedException {
        if (fork.cell().quota() == 0) {
            return start(fork, List.of());
        }
        Optional<CpuQuota> made = CpuQuota.open(fork.cell().quota());
        if (made.isEmpty()) {
            return ForkResult.failed(fork, "the control group that could be made before cannot now");
        }
        try (CpuQuota quota = made.get()) {
            return start(fork, quota.prefix(), quota.statistics().toString());
        }
    }

    private Duration limit(Cell cell) {
        Duration least = scale.full() ? LIMIT : SHORT_LIMIT;
        Duration slow = cell.expected(scale).multipliedBy(SLOWEST);
        return slow.compareTo(least) > 0 ? slow : least;
    }

    private ForkResult start(ForkResult.Fork fork, List<String> prefix, String... extra)
            throws IOException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(List.of(fork.cell().name(), fork.contender().id(), Double.toString(scale.factor())));
        arguments.addAll(List.of(extra));
        List<String> jvmArguments = new ArrayList<>(ForkedJvm.COMPARISON);
        jvmArguments.addAll(jvm);
        ForkedJvm.Output output =
                ForkedJvm.start(prefix, comparison.main(), jvmArguments, arguments, limit(fork.cell()));
        return ForkAnswer.read(
                output,
                line -> ForkResult.measured(fork, Measurement.decode(line)),
                problem -> ForkResult.failed(fork, problem));
    }
}
