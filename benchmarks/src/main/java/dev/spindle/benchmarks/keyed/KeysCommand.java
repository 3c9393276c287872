// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.ForkedJvm;
import dev.spindle.benchmarks.forks.MeasuringCommand;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.report.Verdict;
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
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench keys}: what one keyed task and one idle key cost. Ends with 1 when a measurement failed, or a task of the
 * ten million was lost.
 */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures one keyed task on one thread, the bytes of an idle key, and the heap while ten million keys come"
                    + " and go under -Xmx64m."
        })
public final class KeysCommand extends MeasuringCommand {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final long MILLION = 1_000_000;
    private static final List<String> LARGE_HEAP = List.of("-Xmx3g", "-XX:+UseParallelGC");
    /** What JOL wants in order to look into lambdas. */
    private static final List<String> WALKABLE = List.of(
            "-Xmx3g",
            "-XX:+UseParallelGC",
            "-Djol.magicFieldOffset=true",
            "-Djdk.attach.allowAttachSelf=true",
            "-XX:+EnableDynamicAgentLoading");

    @Option(names = "--quick", description = "One short fork of each and few keys: shows that all works, not how fast.")
    private boolean quick;

    private boolean failed;

    @Override
    public Integer call() throws IOException, InterruptedException, RunnerException {
        PrintWriter console = console();
        console.println(quick ? "About 30 s on an undisturbed machine." : "About 8 min on an undisturbed machine.");
        console.flush();
        List<Verdict> verdicts = new ArrayList<>(time(console));
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

    // ---------------------------------------------------------------- one task

    private List<Verdict> time(PrintWriter console) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(KeyedTaskBenchmark.class.getName() + "\\.")
                .include(AtomicsBenchmark.class.getName() + "\\.")
                .addProfiler(GCProfiler.class)
                .addProfiler(ForeignLoadProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true);
        if (quick) {
            options.forks(1).warmupIterations(0).measurementIterations(1).measurementTime(TimeValue.milliseconds(50));
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        console.printf("%n| keyed task, one thread | ns [forks] | bytes allocated | foreign %% |%n|---|---|---|---|%n");
        for (RunResult result : results) {
            Spread spread = Spread.of(nanos(result));
            console.printf(
                    Locale.ROOT,
                    "| %s | %.1f [%.1f to %.1f] | %.1f | %.0f |%n",
                    title(result),
                    spread.median(),
                    spread.min(),
                    spread.max(),
                    secondary(result, "gc.alloc.rate.norm"),
                    secondary(result, ForeignLoadProfiler.LABEL));
        }
        console.flush();
        return List.of(
                atMost(results, "byKey", "submit and run by key, 1,000 keys", 40),
                atMost(results, "byHandle", "submit and run by handle", 30),
                atMost(results, "batchOf8", "submit and run in a batch of 8", 12),
                atMost(results, "coalescingHit", "coalescing hit", 10));
    }

    private static Verdict atMost(Collection<RunResult> results, String name, String what, double nanos) {
        String goal = "KEY3: " + what;
        String asked = String.format(Locale.ROOT, "at most %.0f ns", nanos);
        for (RunResult result : results) {
            if (name(result).equals(name)) {
                Verdict verdict = Verdict.atMost(goal, asked, nanos, nanos(result));
                return verdict.unlessDisturbed(secondary(result, ForeignLoadProfiler.LABEL));
            }
        }
        return Verdict.notMeasured(goal, asked);
    }

    private static String name(RunResult result) {
        return result.getPrimaryResult().getLabel();
    }

    private static String title(RunResult result) {
        boolean control = result.getParams().getBenchmark().startsWith(AtomicsBenchmark.class.getName());
        return (control ? "control, atomic operations alone: " : "") + name(result);
    }

    /** One value from each fork. */
    private static List<Double> nanos(RunResult result) {
        return result.getBenchmarkResults().stream()
                .map(fork -> fork.getPrimaryResult().getScore())
                .toList();
    }

    private static double secondary(RunResult result, String label) {
        return result.getSecondaryResults().values().stream()
                .filter(secondary -> secondary.getLabel().endsWith(label))
                .mapToDouble(secondary -> secondary.getScore())
                .findFirst()
                .orElse(Double.NaN);
    }

    // ---------------------------------------------------------------- memory

    private List<Verdict> idleKeys(PrintWriter console) throws IOException, InterruptedException {
        long few = quick ? 1_000 : MILLION / 10;
        long many = quick ? 10_000 : MILLION;
        console.printf("%n| idle key | bytes without the key object |%n|---|---|%n");
        // With fewer keys the heap's difference holds too much else, such as code that was loaded meanwhile.
        List<Double> bytes = new ArrayList<>(idleKey(console, "heap", IdleKeyMemory.Method.HEAP, many, LARGE_HEAP));
        bytes.addAll(idleKey(console, "reachable objects", IdleKeyMemory.Method.GRAPH, few, WALKABLE));
        return List.of(Verdict.never("KEY4: an idle key", "at most 96 bytes without the key object", 96, bytes));
    }

    private List<Double> idleKey(
            PrintWriter console, String what, IdleKeyMemory.Method method, long keys, List<String> jvm)
            throws IOException, InterruptedException {
        ForkedJvm.Output output =
                ForkedJvm.start(IdleKeyMemory.class, jvm, List.of(method.name(), Long.toString(keys)), LIMIT);
        Optional<String> found = output.line(IdleKeyMemory.RESULT);
        console.printf(Locale.ROOT, "| %s, %,d keys | %s |%n", what, keys, found.orElseGet(output::problem));
        console.flush();
        failed |= found.isEmpty();
        return found.map(Double::valueOf).stream().toList();
    }

    private List<Verdict> manyKeys(PrintWriter console) throws IOException, InterruptedException {
        long keys = quick ? MILLION / 10 : 10 * MILLION;
        ForkedJvm.Output output =
                ForkedJvm.start(TenMillionKeys.class, List.of("-Xmx64m"), List.of(Long.toString(keys)), LIMIT);
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
