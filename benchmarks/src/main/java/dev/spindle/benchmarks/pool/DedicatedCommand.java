// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import dev.spindle.WaitStrategy;
import dev.spindle.affinity.PinnedThreads;
import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.MeasuringCommand;
import dev.spindle.benchmarks.forks.OwnProcess;
import dev.spindle.benchmarks.forks.Rounds;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.pool.stage.LatencyHistogram;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench dedicated}: how late a task starts that is submitted to a pool without work, with each option for dedicated
 * machines. Ends with 1 when a task was lost.
 */
@Command(
        name = "dedicated",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures how late a task starts in an idle pool of one worker that parks, spins, or does either on a core of"
                    + " its own.",
            "All run in this process, one after the other, each round in another order."
        })
public final class DedicatedCommand extends MeasuringCommand {
    private static final long PAUSE_NANOS = 500_000;
    private static final long LIMIT_SECONDS = 60;

    /** What a pool may do while it waits. */
    private enum Arrangement {
        PARK("park", WaitStrategy.PARK, false),
        SPIN("spin", WaitStrategy.SPIN, false),
        PARK_PINNED("park, pinned", WaitStrategy.PARK, true),
        SPIN_PINNED("spin, pinned", WaitStrategy.SPIN, true);

        final String title;
        final WaitStrategy strategy;
        final boolean pinned;

        Arrangement(String title, WaitStrategy strategy, boolean pinned) {
            this.title = title;
            this.strategy = strategy;
            this.pinned = pinned;
        }

        Spindle spindle() {
            SpindleBuilder builder = Spindle.builder().core(1).max(1).waitStrategy(strategy);
            if (pinned) {
                builder.threadFactory(PinnedThreads.builder().workers(1).build());
            }
            return builder.build();
        }
    }

    /** What one round found: microseconds, and shares in percent. */
    private record Result(double p50, double p99, double cpuPercent, double wakeUpPercent, double foreignPercent) {}

    private record Turn(int round, Arrangement arrangement) {}

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds = 11;

    @Option(names = "--tasks", paramLabel = "N", description = "Tasks in each round. Default: ${DEFAULT-VALUE}.")
    private int tasks = 4_000;

    @Override
    public Integer call() throws InterruptedException {
        if (rounds < 1 || tasks < 1) {
            throw usage("--rounds and --tasks must be at least 1, are " + rounds + " and " + tasks);
        }
        PrintWriter console = console();
        console.println(Machine.here().text());
        console.flush();
        for (Arrangement arrangement : Arrangement.values()) {
            measure(arrangement, tasks); // compiles
        }
        Map<Arrangement, List<Result>> results = new EnumMap<>(Arrangement.class);
        List<Turn> turns = Rounds.order(
                rounds,
                List.of(0),
                List.of(Arrangement.values()),
                (arrangement, cell) -> true,
                (round, cell, arrangement) -> new Turn(round, arrangement));
        for (Turn turn : turns) {
            Result result = measure(turn.arrangement(), tasks);
            if (result == null) {
                console.println("tasks were lost: " + turn);
                console.flush();
                return 1;
            }
            results.computeIfAbsent(turn.arrangement(), key -> new ArrayList<>())
                    .add(result);
        }
        print(console, results);
        return 0;
    }

    /** Submits one task after the other with a pause between them; null when not all have run. */
    private static @Nullable Result measure(Arrangement arrangement, int tasks) throws InterruptedException {
        LatencyHistogram delays = new LatencyHistogram();
        CountDownLatch left = new CountDownLatch(tasks);
        try (Spindle spindle = arrangement.spindle()) {
            CountDownLatch started = new CountDownLatch(1);
            spindle.execute(started::countDown); // starts the worker
            started.await();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            MachineLoad before = MachineLoad.now();
            long cpu = OwnProcess.cpuNanos();
            long wakeUps = spindle.stats().wakeUps();
            long begin = System.nanoTime();
            for (int i = 0; i < tasks; i++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                long submitted = System.nanoTime();
                spindle.execute(() -> {
                    delays.record(System.nanoTime() - submitted);
                    left.countDown();
                });
            }
            if (!left.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                return null;
            }
            long wall = System.nanoTime() - begin;
            long used = OwnProcess.cpuNanos() - cpu;
            return new Result(
                    delays.percentile(0.5) / 1_000,
                    delays.percentile(0.99) / 1_000,
                    100.0 * used / wall,
                    100.0 * (spindle.stats().wakeUps() - wakeUps) / tasks,
                    MachineLoad.now().foreignPercent(before, used));
        }
    }

    private void print(PrintWriter console, Map<Arrangement, List<Result>> results) {
        console.printf(
                Locale.ROOT,
                "%,d rounds of %,d tasks, one each %d us; medians of the rounds, with the smallest and the largest.%n%n",
                rounds,
                tasks,
                PAUSE_NANOS / 1_000);
        console.println(
                "| workers | start delay p50, us | p99, us | processor time, % of one | tasks with a wake-up, % |");
        console.println("|---|---|---|---|---|");
        double foreign = 0;
        for (Map.Entry<Arrangement, List<Result>> row : results.entrySet()) {
            List<Result> all = row.getValue();
            console.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s |%n",
                    row.getKey().title,
                    text(all.stream().map(Result::p50).toList()),
                    text(all.stream().map(Result::p99).toList()),
                    text(all.stream().map(Result::cpuPercent).toList()),
                    text(all.stream().map(Result::wakeUpPercent).toList()));
            for (Result result : all) {
                foreign = Double.isNaN(result.foreignPercent()) ? foreign : Math.max(foreign, result.foreignPercent());
            }
        }
        console.printf(Locale.ROOT, "%nOther processes took up to %.0f %% of the machine in a round.%n", foreign);
        console.flush();
    }

    private static String text(Collection<Double> values) {
        Spread spread = Spread.of(values);
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", spread.median(), spread.min(), spread.max());
    }
}
