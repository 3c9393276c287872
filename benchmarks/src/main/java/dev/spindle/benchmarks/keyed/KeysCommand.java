// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.ForkedJvm;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.report.Verdict;
import dev.spindle.commands.ConsoleCommand;
import java.io.IOException;
import java.io.PrintWriter;
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
 * {@code bench keys}: what one keyed task and one idle key cost. Ends with 1 when a measurement failed, or a task of
 * the ten million was lost.
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
    private static final long MILLION = 1_000_000;
    private static final List<String> LARGE_HEAP = List.of("-Xmx3g", "-XX:+UseParallelGC");

    @Option(names = "--quick", description = "One short fork of each and few keys: shows that all works, not how fast.")
    private boolean quick;

    private boolean failed;

    @Override
    protected int run() throws IOException, InterruptedException, RunnerException {
        PrintWriter console = out();
        console.println(quick ? "About 30 s on an undisturbed machine." : "About 8 min on an undisturbed machine.");
        console.flush();
        List<Verdict> verdicts = new ArrayList<>(time());
        verdicts.addAll(idleKeys(console));
        verdicts.addAll(manyKeys(console));
        console.println();
        if (quick) {
            console.println("No verdict: the measurements were cut short.");
        } else {
            console.print(Verdict.table(verdicts));
        }
        console.flush();
        return failed ? 1 : 0;
    }

    /** By JMH's own runner, which prints its own table. */
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

    /** One value from each fork. */
    private static Verdict atMost(Collection<RunResult> results, String name, String what, double nanos) {
        List<Double> forks = results.stream()
                .filter(result -> result.getPrimaryResult().getLabel().equals(name))
                .flatMap(result -> result.getBenchmarkResults().stream())
                .map(fork -> fork.getPrimaryResult().getScore())
                .toList();
        return Verdict.atMost("KEY3: " + what, String.format(Locale.ROOT, "at most %.0f ns", nanos), nanos, forks);
    }

    // ---------------------------------------------------------------- memory

    private List<Verdict> idleKeys(PrintWriter console) throws IOException, InterruptedException {
        // With fewer keys the heap's difference holds too much else, such as code that was loaded meanwhile.
        long keys = quick ? MILLION / 100 : MILLION;
        ForkedJvm.Output output =
                ForkedJvm.start(List.of(), IdleKeyMemory.class, LARGE_HEAP, List.of(Long.toString(keys)), LIMIT);
        Optional<String> found = output.line(IdleKeyMemory.RESULT);
        console.printf(
                Locale.ROOT,
                "%nAn idle key takes so many bytes of heap, of %,d, without the key object: %s%n",
                keys,
                found.orElseGet(output::problem));
        console.flush();
        failed |= found.isEmpty();
        List<Double> bytes = found.map(Double::valueOf).stream().toList();
        return List.of(Verdict.never("KEY4: an idle key", "at most 96 bytes without the key object", 96, bytes));
    }

    private List<Verdict> manyKeys(PrintWriter console) throws IOException, InterruptedException {
        long keys = quick ? MILLION / 10 : 10 * MILLION;
        ForkedJvm.Output output = ForkedJvm.start(
                List.of(), TenMillionKeys.class, List.of("-Xmx64m"), List.of(Long.toString(keys)), LIMIT);
        List<Double> heap = output.lines().stream()
                .filter(line -> line.startsWith(TenMillionKeys.HEAP))
                .map(line -> Long.parseLong(line.substring(TenMillionKeys.HEAP.length())) / (double) MILLION)
                .toList();
        Optional<Long> ran = output.line(TenMillionKeys.RAN).map(Long::valueOf);
        console.printf(Locale.ROOT, "%n%,d distinct keys in turn, -Xmx64m; heap after a collection, MB:", keys);
        heap.forEach(megabytes -> console.printf(Locale.ROOT, " %.1f", megabytes));
        console.printf(
                Locale.ROOT,
                "%n%s%n",
                ran.map(count -> String.format(Locale.ROOT, "%,d tasks ran", count))
                        .orElseGet(output::problem));
        console.flush();
        boolean complete = ran.isPresent() && ran.get() == keys;
        failed |= !complete;
        return List.of(
                new Verdict(
                        "KEY4: ten million keys under 64 MB",
                        "every task runs once",
                        ran.map(count -> String.format(Locale.ROOT, "%,d", count))
                                .orElse("it did not end"),
                        complete ? Verdict.Outcome.REACHED : Verdict.Outcome.NOT_REACHED),
                flat(heap));
    }

    /** The first reading comes before the table is as full as it gets, so growth is looked for after it. */
    static Verdict flat(List<Double> heap) {
        String goal = "KEY4: ten million keys under 64 MB";
        String asked = "heap never more than 1.1 x that of the second of ten readings";
        if (heap.size() < 3) {
            return Verdict.notMeasured(goal, asked);
        }
        double base = heap.get(1);
        double worst = Spread.of(heap.subList(2, heap.size())).max();
        String got = String.format(Locale.ROOT, "%.2f x: %.1f MB after %.1f MB", worst / base, worst, base);
        return new Verdict(
                goal, asked, got, worst <= 1.1 * base ? Verdict.Outcome.REACHED : Verdict.Outcome.NOT_REACHED);
    }
}
