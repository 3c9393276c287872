// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.start;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import dev.spindle.benchmarks.forks.ForkedJvm;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.report.Verdict;
import dev.spindle.commands.ConsoleCommand;
import dev.spindle.commands.Range;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench start}: the first task of a fresh JVM. Ends with 1 when a sample failed. */
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
    private static final Map<String, String> NAMES = names();

    @Option(names = "--rounds", description = "How many JVMs of each; ${DEFAULT-VALUE} by default.")
    @Range(least = 1, most = 10_000)
    private int rounds = 15;

    @Option(names = "--jvm", description = "An option for the JVMs, as -XX:SharedArchiveFile=...; may be repeated.")
    private List<String> jvm = List.of();

    private record Sample(double first, double close) {}

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put(FirstTask.SPINDLE, "Spindle, a keyed task");
        names.put(FirstTask.TPE, "ThreadPoolExecutor");
        names.put(FirstTask.FJP, "ForkJoinPool");
        return names;
    }

    @Override
    protected int run() throws IOException, InterruptedException {
        Map<String, List<Sample>> samples = new LinkedHashMap<>();
        List<String> contenders = new ArrayList<>(NAMES.keySet());
        String path = placeOf(Spindle.class) + File.pathSeparator + placeOf(FirstTask.class);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < contenders.size(); i++) {
                String contender = contenders.get((round + i) % contenders.size());
                ForkedJvm.Output output =
                        ForkedJvm.start(List.of(), path, FirstTask.class, jvm, List.of(contender), LIMIT);
                String[] line = output.line(FirstTask.RESULT).orElse("").split(" ", -1);
                if (line.length != 2 && samples.isEmpty() && !jvm.isEmpty()) {
                    throw wrong("--jvm", String.join(" ", jvm), "starts no JVM: " + output.problem());
                }
                if (line.length != 2) {
                    out().println(contender + ": " + output.problem());
                    out().flush();
                    return 1;
                }
                samples.computeIfAbsent(contender, key -> new ArrayList<>())
                        .add(new Sample(millis(line[0]), millis(line[1])));
            }
        }
        report(out(), samples);
        return 0;
    }

    private static String placeOf(Class<?> type) throws IOException {
        CodeSource source = requireNonNull(type.getProtectionDomain().getCodeSource(), "source");
        try {
            return Path.of(requireNonNull(source.getLocation(), "location").toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IOException("the place of " + type + " is no path", e);
        }
    }

    private static double millis(String nanos) {
        return Long.parseLong(nanos) / 1e6;
    }

    private static void report(PrintWriter console, Map<String, List<Sample>> samples) {
        console.printf("| ms, median [smallest to largest] | first result | close when idle |%n|---|---|---|%n");
        samples.forEach((contender, all) -> console.printf(
                "| %s | %s | %s |%n",
                NAMES.get(contender),
                text(all.stream().map(Sample::first).toList()),
                text(all.stream().map(Sample::close).toList())));
        List<Sample> ours = samples.getOrDefault(FirstTask.SPINDLE, List.of());
        List<Sample> pool = samples.getOrDefault(FirstTask.TPE, List.of());
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            ratios.add(ours.get(i).first() / pool.get(i).first());
        }
        List<Double> first = ours.stream().map(Sample::first).toList();
        List<Double> close = ours.stream().map(Sample::close).toList();
        console.println();
        console.print(Verdict.table(List.of(
                Verdict.atMost("SCH15: first result", "at most 2 x ThreadPoolExecutor's", 2, ratios),
                Verdict.atMost("SCH15: first result", "at most 25 ms", 25, first),
                Verdict.atMost("SCH15: close of an idle pool", "at most 1 ms", 1, close))));
        console.flush();
    }

    private static String text(List<Double> values) {
        Spread spread = Spread.of(values);
        return String.format(Locale.ROOT, "%.1f [%.1f to %.1f]", spread.median(), spread.min(), spread.max());
    }
}
