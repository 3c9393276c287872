// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.start;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Column;
import dev.spindle.benchmarks.compare.Programs;
import dev.spindle.benchmarks.compare.Verdict;
import dev.spindle.commands.ConsoleCommand;
import dev.spindle.commands.Range;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the time to the first result of an executor in a new JVM, and the time to close an idle pool. The exit
 * status is 1 if a sample failed.
 */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures how long a fresh JVM takes to make an executor and run one task, with a key for Spindle, and to"
                    + " close the idle pool. Its class path holds Spindle's core and nothing else."
        })
public final class StartCommand extends ConsoleCommand {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Option(names = "--rounds", description = "How many JVMs of each; ${DEFAULT-VALUE} by default.")
    @Range(least = 1, most = 10_000)
    private int rounds = 15;

    @Option(names = "--jvm", description = "An option for the JVMs, as -XX:SharedArchiveFile=...; may be repeated.")
    private List<String> jvm = List.of();

    private record Samples(String title, List<Double> first, List<Double> close) {
        Samples(String title) {
            this(title, new ArrayList<>(), new ArrayList<>());
        }
    }

    @Override
    protected int run() throws IOException, InterruptedException {
        Map<String, Samples> samples = new LinkedHashMap<>();
        samples.put(FirstTask.SPINDLE, new Samples("Spindle, a keyed task"));
        samples.put(FirstTask.TPE, new Samples("ThreadPoolExecutor"));
        samples.put(FirstTask.FJP, new Samples("ForkJoinPool"));
        List<String> order = List.copyOf(samples.keySet());
        String path = Programs.placeOf(Spindle.class) + File.pathSeparator + Programs.placeOf(FirstTask.class);
        for (int i = 0; i < rounds * order.size(); i++) {
            String contender = order.get((i / order.size() + i) % order.size());
            Programs.Output output =
                    Programs.run(Programs.java(List.of(), path, FirstTask.class, jvm, List.of(contender)), LIMIT);
            String[] line = output.line(FirstTask.RESULT).orElse("").split(" ", -1);
            if (line.length != 2 && i == 0 && !jvm.isEmpty()) {
                throw wrong("--jvm", String.join(" ", jvm), "starts no JVM: " + output.problem());
            }
            if (line.length != 2) {
                out().println(contender + ": " + output.problem());
                out().flush();
                return 1;
            }
            Samples all = requireNonNull(samples.get(contender));
            all.first.add(Long.parseLong(line[0]) / 1e6);
            all.close.add(Long.parseLong(line[1]) / 1e6);
        }
        report(List.copyOf(samples.values()));
        return 0;
    }

    private void report(List<Samples> all) {
        out().print(Column.row(List.of("ms, median [smallest to largest]", "first result", "close when idle")));
        out().print("|---|---|---|\n");
        for (Samples samples : all) {
            out().print(Column.row(List.of(samples.title, Column.range(samples.first), Column.range(samples.close))));
        }
        List<Double> ours = all.get(0).first;
        List<Double> ratios = IntStream.range(0, rounds)
                .mapToObj(round -> ours.get(round) / all.get(1).first.get(round))
                .toList();
        out().println();
        out().print(Verdict.table(List.of(
                Verdict.atMost("SCH15: first result", "at most 2 x ThreadPoolExecutor's", 2, ratios),
                Verdict.atMost("SCH15: first result", "at most 25 ms", 25, ours),
                Verdict.atMost("SCH15: close of an idle pool", "at most 1 ms", 1, all.get(0).close))));
        out().flush();
    }
}
