// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.handovers;

import dev.spindle.Spindle;
import dev.spindle.SpindleStats;
import dev.spindle.commands.Range;
import dev.spindle.verify.torture.CheckCommand;
import dev.spindle.verify.torture.tools.PoolState;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Searches for lost wake-ups. The exit status is 1 if a task did not start. */
@Command(
        name = "handovers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Looks for lost wake-ups, for any number of tasks.",
            "One thread gives an idle pool of 2 workers one task after the other, by all entry points, and waits."
        },
        footer = {"", "Exit status: 0 for success, 1 for a lost wake-up, 2 for a wrong option."})
public final class HandoversCommand extends CheckCommand {
    private static final Duration START_LIMIT = Duration.ofSeconds(5);
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description = "How many tasks are handed over. Default: ${DEFAULT-VALUE}; for a long test"
                    + " 100000000 and more.")
    @Range(least = 1, most = Long.MAX_VALUE)
    private long tasks = 1_000_000;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Repeats the choices of a run, not its timing. Default: random.")
    private @Nullable Long seed;

    @Override
    protected int run() {
        long first = seed != null ? seed : ThreadLocalRandom.current().nextLong(1_000_000_000);
        PrintWriter console = out();
        console.println(machine());
        console.flush();
        return handOver(tasks, first, console) ? 0 : 1;
    }

    private static boolean handOver(long tasks, long seed, PrintWriter console) {
        say(console, "%,d hand-overs to a pool of 2 workers, seed %d.", tasks, seed);
        Spindle spindle = Spindle.builder()
                .name("handovers")
                .coreThreads(2)
                .maxThreads(2)
                .threadFactory(body -> {
                    Thread worker = new Thread(body, "handovers-worker");
                    worker.setDaemon(true); // a thread that hangs must not keep the process alive
                    return worker;
                })
                .build();
        List<Entrance> entrances = Entrance.of(spindle);
        long begin = System.nanoTime();
        Handovers all = new Handovers(entrances, seed, START_LIMIT);
        Handovers.Result result = all.run(tasks, new Progress(tasks, begin, console));
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (result.fault() != null) {
            say(console, "BROKEN: %s; seed %d.%n%s", result.fault(), seed, PoolState.of(spindle));
            spindle.shutdownNow();
            return false;
        }
        SpindleStats stats = spindle.stats();
        spindle.close();
        if (all.starts() != tasks) {
            say(console, "BROKEN: %,d starts of %,d tasks; seed %d.", all.starts(), tasks, seed);
            return false;
        }
        say(console, "%n| entrance | hand-overs |%n|---|---|");
        for (int entrance = 0; entrance < entrances.size(); entrance++) {
            say(
                    console,
                    "| %s | %,d |",
                    entrances.get(entrance).title(),
                    result.counts().get(entrance));
        }
        say(
                console,
                "%nAll %,d started, %,d of them later than 10 ms. Start delay: median %,.2f us, 99.99 %% within %,.1f"
                        + " us, longest %,.1f us. %,d wake-ups;"
                        + " %,.0f hand-overs per second in %,.1f s.%n",
                tasks,
                result.late(),
                result.delays().getValueAtPercentile(50) / 1e3,
                result.delays().getValueAtPercentile(99.99) / 1e3,
                result.longestNanos() / 1e3,
                stats.wakeUps(),
                tasks / seconds,
                seconds);
        return true;
    }

    /** Prints the progress every five seconds. */
    private static final class Progress implements LongConsumer {
        private final long total;
        private final long begin;
        private final PrintWriter console;
        private long said;

        Progress(long total, long begin, PrintWriter console) {
            this.total = total;
            this.begin = begin;
            this.console = console;
            said = begin;
        }

        @Override
        public void accept(long done) {
            long now = System.nanoTime();
            if (now - said >= PROGRESS_NANOS) {
                said = now;
                double seconds = (now - begin) / 1e9;
                say(
                        console,
                        "  hand-overs: %d %%, %,d of %,d, %,.0f per second (%,.0f s left)",
                        100 * done / total,
                        done,
                        total,
                        done / seconds,
                        seconds * (total - done) / done);
            }
        }
    }

    private static void say(PrintWriter console, String format, Object... values) {
        console.printf(Locale.ROOT, format + "%n", values);
        console.flush();
    }
}
