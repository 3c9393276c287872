// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import dev.spindle.Spindle;
import dev.spindle.SpindleStats;
import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.MeasuringCommand;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench soak}: single hand-overs and whole lives of pools by the million. Ends with 1 when a promise was broken. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Looks for lost wake-ups and lost, doubled or misplaced tasks, for as long as you like.",
            "Hand-overs: one thread gives an idle pool of 2 workers one task after the other. Rounds: a pool of a random"
                    + " shape, with random work of all kinds, is ended while its producers still submit.",
            "With one of --handovers and --minutes, that part runs alone; with none, both run."
        },
        footer = {"", "Exit status: 0 when all was well, 1 when a promise was broken, 2 for a wrong option."})
public final class SoakCommand extends MeasuringCommand {
    private static final long HANDOVERS = 1_000_000;
    private static final double MINUTES = 1;
    private static final Duration START_LIMIT = Duration.ofSeconds(5);
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final Duration END_LIMIT = Duration.ofSeconds(20);
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int MOST_SHOWN = 20;

    @Option(
            names = "--handovers",
            paramLabel = "N",
            description =
                    "How many tasks are handed over. Default: 1000000; hours are well spent on 100000000 and more.")
    private @Nullable Long handovers;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            description = "How long rounds are begun; one at least is run, so 0 runs one. Default: 1.")
    private @Nullable Double minutes;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "The seed of the hand-overs and of the first round; each further round takes the next number."
                    + " Repeats the choices of a run, not its timing. Default: random.")
    private @Nullable Long seed;

    private Duration round = ROUND;

    /** Sets how long the producers of a round submit, about. */
    SoakCommand roundsOf(Duration length) {
        round = length;
        return this;
    }

    @Override
    public Integer call() throws InterruptedException {
        boolean both = handovers == null && minutes == null;
        long tasks = handovers != null ? handovers : HANDOVERS;
        double time = minutes != null ? minutes : MINUTES;
        if (tasks < 1) {
            throw usage("--handovers must be at least 1, is " + tasks);
        }
        if (!(time >= 0)) {
            throw usage("--minutes must be at least 0, is " + time);
        }
        long first = seed != null ? seed : ThreadLocalRandom.current().nextLong(1_000_000_000);
        PrintWriter console = console();
        console.println(Machine.here().text());
        console.flush();
        boolean well = !(both || handovers != null) || handOver(tasks, first, console);
        if (well && (both || minutes != null)) {
            well = soak(Duration.ofMillis((long) (time * 60_000)), first, console);
        }
        return well ? 0 : 1;
    }

    // ---------------------------------------------------------------- hand-overs

    private static boolean handOver(long tasks, long seed, PrintWriter console) {
        say(console, "%,d hand-overs to a pool of 2 workers, seed %d.", tasks, seed);
        Spindle spindle = Spindle.builder()
                .name("handovers")
                .core(2)
                .max(2)
                .threadFactory(body -> Target.daemon(body, "handovers-worker"))
                .build();
        List<Entrance> entrances = Entrance.of(spindle);
        long begin = System.nanoTime();
        Handovers all = new Handovers(entrances, seed, START_LIMIT);
        Handovers.Result result = all.run(tasks, new Progress(tasks, begin, console));
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (result.fault() != null) {
            say(console, "BROKEN: %s; seed %d.%n%s", result.fault(), seed, State.of(spindle));
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
                "%nAll %,d started, %,d of them later than 10 ms. Start delay: median %,.2f us, 99.99 %% within %,.1f us,"
                        + " longest %,.1f us. %,d wake-ups, %,d parks, %,d searches;"
                        + " %,.0f hand-overs per second in %,.1f s.%n",
                tasks,
                result.late(),
                result.delays().percentile(0.5) / 1e3,
                result.delays().percentile(0.9999) / 1e3,
                result.longestNanos() / 1e3,
                stats.wakeUps(),
                stats.parks(),
                stats.searches(),
                tasks / seconds,
                seconds);
        return true;
    }

    /** Says every few seconds how far the hand-overs are. */
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

    // ---------------------------------------------------------------- rounds

    private boolean soak(Duration time, long first, PrintWriter console) throws InterruptedException {
        say(
                console,
                "Rounds of about %.1f s for %.1f minutes, first seed %d.",
                millis(round) / 1e3,
                millis(time) / 6e4,
                first);
        Map<String, Long> total = new TreeMap<>();
        long begin = System.nanoTime();
        long seedNow = first;
        int rounds = 0;
        do {
            Round.Result result = Round.run(Shape.of(seedNow), round, END_LIMIT);
            rounds++;
            say(
                    console,
                    "[%d, %.1f min] %s; %d threads, %,d tasks: %s",
                    rounds,
                    (System.nanoTime() - begin) / 6e10,
                    result.shape().text(),
                    result.peakThreads(),
                    result.tasks(),
                    result.fates());
            if (!result.violations().isEmpty()) {
                broken(result, console);
                return false;
            }
            result.fates().forEach((fate, count) -> total.merge(fate, (long) count, Long::sum));
            seedNow++;
        } while (System.nanoTime() - begin < time.toNanos());
        say(console, "%nAll %,d rounds kept every promise. Tasks: %s.", rounds, total);
        return true;
    }

    private static double millis(Duration time) {
        return time.toMillis();
    }

    private static void broken(Round.Result result, PrintWriter console) {
        List<String> violations = result.violations();
        say(
                console,
                "BROKEN: %,d violations; repeat with --minutes 0 --seed %d",
                violations.size(),
                result.shape().seed());
        say(console, "%s", result.shape());
        violations.stream().limit(MOST_SHOWN).forEach(violation -> say(console, "  %s", violation));
        if (violations.size() > MOST_SHOWN) {
            say(console, "  and %,d more", violations.size() - MOST_SHOWN);
        }
    }

    private static void say(PrintWriter console, String format, Object... values) {
        console.printf(Locale.ROOT, format + "%n", values);
        console.flush();
    }
}
