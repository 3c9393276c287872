// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Programs;
import dev.spindle.benchmarks.compare.Spread;
import dev.spindle.benchmarks.compare.Verdict;
import dev.spindle.commands.ConsoleCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the cost of a keyed task and the memory of keys. The exit status is 1 if a measurement failed or a task was
 * lost.
 */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures one keyed task on one thread, the bytes of an idle key, and the heap while ten million keys come"
                    + " and go under -Xmx64m."
        })
public final class KeysCommand extends ConsoleCommand {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int MILLION = 1_000_000;
    private static final String TEN_MILLION = "KEY4: ten million keys under 64 MB";

    @Option(names = "--quick", description = "One short fork of each and few keys: shows that all works, not how fast.")
    private boolean quick;

    private boolean failed;

    @Override
    protected int run() throws IOException, InterruptedException, RunnerException {
        out().println(quick ? "About 30 s on an undisturbed machine." : "About 8 min on an undisturbed machine.");
        out().flush();
        List<Verdict> verdicts = new ArrayList<>(time());
        verdicts.add(idleKeys());
        verdicts.addAll(manyKeys());
        out().println();
        out().print(quick ? "No verdict: the measurements were cut short.\n" : Verdict.table(verdicts));
        out().flush();
        return failed ? 1 : 0;
    }

    /** Runs the JMH benchmarks, whose runner prints a table of its own. */
    private List<Verdict> time() throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(KeyedTaskBenchmark.class.getName() + "\\.")
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true);
        if (quick) {
            options.forks(1).warmupIterations(0).measurementIterations(1).measurementTime(TimeValue.milliseconds(50));
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        return List.of(
                atMost(results, "byKey", "submit and run by key, 1,000 keys", 40),
                atMost(results, "byHandle", "submit and run by handle", 30),
                atMost(results, "batchOf8", "submit and run in a batch of 8", 12),
                atMost(results, "coalescingHit", "coalescing hit", 10));
    }

    /** Judges the scores of a benchmark, one from each fork. */
    private static Verdict atMost(Collection<RunResult> results, String name, String what, double nanos) {
        List<Double> forks = results.stream()
                .filter(result -> result.getPrimaryResult().getLabel().equals(name))
                .flatMap(result -> result.getBenchmarkResults().stream())
                .map(fork -> fork.getPrimaryResult().getScore())
                .toList();
        return Verdict.atMost("KEY3: " + what, String.format(Locale.ROOT, "at most %.0f ns", nanos), nanos, forks);
    }

    private static Programs.Output fork(List<String> jvm, String what, int keys)
            throws IOException, InterruptedException {
        return Programs.run(Programs.java(KeyMemory.class, jvm, List.of(what, Integer.toString(keys))), LIMIT);
    }

    private Verdict idleKeys() throws IOException, InterruptedException {
        // With fewer keys, other allocations such as loaded classes dominate the growth of the heap.
        int keys = quick ? MILLION / 100 : MILLION;
        Programs.Output output = fork(List.of("-Xmx3g", "-XX:+UseParallelGC"), KeyMemory.IDLE, keys);
        Optional<String> found = output.line(KeyMemory.BYTES);
        failed |= found.isEmpty();
        print("%nAn idle key takes so many bytes of heap, of %,d, without the key object: %s%n", keys, found, output);
        List<Double> bytes = found.map(Double::valueOf).stream().toList();
        return Verdict.never("KEY4: an idle key", "at most 96 bytes without the key object", 96, bytes);
    }

    private List<Verdict> manyKeys() throws IOException, InterruptedException {
        int keys = quick ? MILLION / 10 : 10 * MILLION;
        Programs.Output output = fork(List.of("-Xmx64m"), KeyMemory.IN_TURN, keys);
        List<Double> heap = output.lines().stream()
                .filter(line -> line.startsWith(KeyMemory.HEAP))
                .map(line -> Long.parseLong(line.substring(KeyMemory.HEAP.length())) / 1e6)
                .toList();
        Optional<Long> ran = output.line(KeyMemory.RAN).map(Long::valueOf);
        Optional<String> got = ran.map(count -> String.format(Locale.ROOT, "%,d tasks ran", count));
        out().printf("%nHeap after a collection, -Xmx64m, MB: %s%n", heap);
        print("%,d distinct keys in turn: %s%n", keys, got, output);
        boolean complete = ran.isPresent() && ran.get() == keys;
        failed |= !complete;
        Verdict.Outcome outcome = complete ? Verdict.Outcome.REACHED : Verdict.Outcome.NOT_REACHED;
        return List.of(
                new Verdict(TEN_MILLION, "every task runs once", got.orElse(output.problem()), outcome), flat(heap));
    }

    private void print(String format, int keys, Optional<String> got, Programs.Output output) {
        out().printf(Locale.ROOT, format, keys, got.orElse(output.problem()));
        out().flush();
    }

    /**
     * Judges the growth of the heap from the second of ten readings on. At the first reading the key table has not
     * reached its final size.
     */
    static Verdict flat(List<Double> heap) {
        String asked = "heap never more than 1.1 x that of the second of ten readings";
        if (heap.size() < 3) {
            return Verdict.notMeasured(TEN_MILLION, asked);
        }
        double base = heap.get(1);
        double worst = Spread.of(heap.subList(2, heap.size())).max();
        String got = String.format(Locale.ROOT, "%.2f x: %.1f MB after %.1f MB", worst / base, worst, base);
        return new Verdict(
                TEN_MILLION, asked, got, worst <= 1.1 * base ? Verdict.Outcome.REACHED : Verdict.Outcome.NOT_REACHED);
    }
}
