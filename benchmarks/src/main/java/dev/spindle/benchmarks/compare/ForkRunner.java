// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the forks of a comparison one after another.
 *
 * @param jvm the JVM arguments of the forks
 * @param futex true if each fork is followed by a fork that counts system calls
 */
record ForkRunner(Comparison comparison, List<String> jvm, Subject.Scale scale, boolean futex) {
    /** The JVM options of all forks except the collector. */
    private static final List<String> OPTIONS = List.of(
            "-Xms2g",
            "-Xmx2g",
            // The JVM starts all its threads at once, so that none is counted as a contender's thread.
            "-XX:-UseDynamicNumberOfCompilerThreads",
            "-XX:-UseDynamicNumberOfGCThreads");

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration SHORT_LIMIT = Duration.ofSeconds(20);
    /** A fork is killed after this multiple of its expected time, but not before the minimum above. */
    private static final int SLOWEST = 8;

    private static final int REPEATS = 2;

    ForkResult run(ForkResult.Fork fork) throws IOException, InterruptedException {
        ForkResult result = runOnce(fork);
        for (int again = 0; again < REPEATS && scale.full() && result.disturbed(); again++) {
            result = result.orCalmer(runOnce(fork));
        }
        if (!futex || !result.measured() || !Double.isNaN(result.get(Figure.FUTEX))) {
            return result;
        }
        Map<String, Double> values = new LinkedHashMap<>(result.values());
        values.putAll(start(fork, List.of(), CompareFork.FUTEX).values());
        return ForkResult.measured(fork, values);
    }

    private ForkResult runOnce(ForkResult.Fork fork) throws IOException, InterruptedException {
        if (fork.cell().quota() == 0) {
            return start(fork, List.of());
        }
        Optional<ControlGroup> made = ControlGroup.of(fork.cell().quota());
        if (made.isEmpty()) {
            return ForkResult.failed(fork, "the control group that could be made before cannot now");
        }
        try (ControlGroup quota = made.get()) {
            return start(fork, quota.prefix(), quota.statistics().toString());
        }
    }

    private ForkResult start(ForkResult.Fork fork, List<String> prefix, String... extra)
            throws IOException, InterruptedException {
        Cell cell = fork.cell();
        List<String> arguments = new ArrayList<>(List.of(comparison.question().getName(), cell.name()));
        arguments.addAll(List.of(fork.contender().id(), Double.toString(scale.factor())));
        arguments.addAll(List.of(extra));
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(jvm);
        options.addAll(cell.jvm());
        Duration least = scale.full() ? LIMIT : SHORT_LIMIT;
        Duration slow = cell.expected(scale).multipliedBy(SLOWEST);
        Programs.Output output = Programs.run(
                Programs.java(prefix, Programs.property("java.class.path"), CompareFork.class, options, arguments),
                slow.compareTo(least) > 0 ? slow : least);
        Optional<String> measured = output.line(CompareFork.MEASURED);
        if (measured.isPresent()) {
            return ForkResult.measured(fork, Figure.decode(measured.get()));
        }
        Optional<String> stalled = output.line(CompareFork.STALLED).map(reason -> "stalled: " + reason);
        return ForkResult.failed(fork, stalled.orElse(output.problem()));
    }
}
