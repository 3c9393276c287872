// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.torture;

import dev.spindle.Lane;
import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.MeasuringCommand;
import dev.spindle.benchmarks.torture.pipelines.RandomPipeline;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code torture}: random programs against the promises of the README. Ends with 1 when one was broken. */
@Command(
        name = "torture",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Runs random programs on pools of random shapes, and checks the log of each against the promises of the README:"
                    + " order, overlap, loss, doubles, supersession, memory effects, bounds, shutdown.",
            "With --pipelines the same for random pipelines: graphs of stages, publishers, errors, drains and halts.",
            "A program that breaks one is shrunk to a small one, which is printed and kept for --replay."
        },
        footer = {
            "",
            "Examples:",
            "  spindle torture                             one minute",
            "  spindle torture --tasks 1000000000          a billion tasks",
            "  spindle torture --seed 4711 --minutes 5     one program again and again",
            "  spindle torture --pipelines --minutes 10    pipelines instead of pools",
            "  spindle torture --replay torture-4711.txt   a shrunk one, until it fails or a minute is over",
            "",
            "Exit status: 0 when all was well, 1 when a promise was broken, 2 for a wrong option."
        })
public final class TortureCommand extends MeasuringCommand {
    private static final double MINUTES = 1;
    private static final int MOST_TASKS = 1 << 18;
    private static final int SHRINK_SECONDS = 60;
    private static final int RUNS_TO_SHRINK = 20;
    private static final int RUNS_TO_CONFIRM = 20;
    private static final Duration PER_PROGRAM = Duration.ofSeconds(2);
    private static final Duration RUN_LIMIT = Duration.ofSeconds(60);
    private static final Duration SMALL_LIMIT = Duration.ofSeconds(10);
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

    @Option(
            names = "--minutes",
            paramLabel = "M",
            description = "How long programs are begun; one at least is run. Default: 1.")
    private @Nullable Double minutes;

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description = "How many tasks are handed in, about; instead of --minutes.")
    private @Nullable Long tasks;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Repeats the program of this seed, and no other. Its timing is another each time."
                    + " Default: a new program each time.")
    private @Nullable Long seed;

    @Option(
            names = "--pipelines",
            description = "Runs random pipelines; with --seed, that of this seed again and again.")
    private boolean pipelines;

    @Option(names = "--replay", paramLabel = "FILE", description = "Repeats the program in this file, and no other.")
    private @Nullable Path replay;

    @Option(
            names = "--shrink",
            paramLabel = "SECONDS",
            description = "How long a program that fails is made smaller. 0 for not at all. Default: 60.")
    private int shrink = SHRINK_SECONDS;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "Where the smallest program that fails is kept. Default: torture-SEED.txt.")
    private @Nullable Path save;

    private UnaryOperator<Lane> facade = lane -> lane;
    private int mostTasks = MOST_TASKS;

    /** Puts something broken before every lane, and makes programs of about so many tasks, for a test. */
    TortureCommand against(UnaryOperator<Lane> broken, int most) {
        facade = broken;
        mostTasks = most;
        return this;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        checkOptions();
        PrintWriter console = console();
        say(console, "%s", Machine.here().text());
        long first = seed != null ? seed : ThreadLocalRandom.current().nextLong(1_000_000_000);
        if (pipelines) {
            return torturePipelines(first, console);
        }
        if (replay != null) {
            Program program = read(replay);
            say(console, "The program of %s, again and again.", replay);
            return torture(number -> program, console);
        }
        if (seed != null) {
            Program program = Generator.of(first, mostTasks);
            say(console, "The program of seed %d, again and again.", first);
            return torture(number -> program, console);
        }
        say(console, "Programs of seed %d and up.", first);
        return torture(number -> Generator.of(first + number, mostTasks), console);
    }

    private void checkOptions() {
        if (minutes != null && tasks != null) {
            throw usage("--minutes and --tasks exclude each other; leave one out");
        }
        if (seed != null && replay != null) {
            throw usage("--seed and --replay exclude each other; leave one out");
        }
        if (pipelines && (tasks != null || replay != null)) {
            throw usage("--pipelines and " + (tasks != null ? "--tasks" : "--replay")
                    + " exclude each other; leave one out");
        }
        if (minutes != null && !(minutes >= 0)) {
            throw usage("--minutes must be at least 0, is " + minutes);
        }
        if (tasks != null && tasks < 1) {
            throw usage("--tasks must be at least 1, is " + tasks);
        }
        if (shrink < 0) {
            throw usage("--shrink must be at least 0, is " + shrink);
        }
    }

    private Program read(Path file) {
        try {
            return ProgramText.read(Files.readString(file));
        } catch (IOException e) {
            throw usage("--replay " + file + " cannot be read: " + e);
        } catch (IllegalArgumentException e) {
            throw usage("--replay " + file + " is no program: " + e.getMessage());
        }
    }

    // ---------------------------------------------------------------- running

    private int torture(LongFunction<Program> programs, PrintWriter console) throws InterruptedException, IOException {
        Tally tally = new Tally();
        long begin = System.nanoTime();
        long said = begin;
        do {
            Program program = programs.apply(tally.programs());
            Log log = Run.of(program, facade, RUN_LIMIT);
            Violations violations = Checker.check(program, log);
            tally.add(log);
            if (!violations.isEmpty()) {
                broken(program, violations, console);
                return 1;
            }
            if (System.nanoTime() - said >= PROGRESS_NANOS) {
                said = System.nanoTime();
                progress(tally, said - begin, program.seed(), console);
            }
        } while (isShareLeft(tally, System.nanoTime() - begin));
        double seconds = (System.nanoTime() - begin) / 1e9;
        say(
                console,
                "All %,d programs kept every promise: %,d tasks in %,.1f s, %,.0f per second: %s.",
                tally.programs(),
                tally.tasks(),
                seconds,
                tally.tasks() / seconds,
                tally.fates());
        return 0;
    }

    private int torturePipelines(long first, PrintWriter console) {
        say(
                console,
                seed != null ? "The pipeline of seed %d, again and again." : "Pipelines of seed %d and up.",
                first);
        long begin = System.nanoTime();
        long said = begin;
        long count = 0;
        long events = 0;
        do {
            long next = seed != null ? first : first + count;
            try {
                events += RandomPipeline.run(next);
            } catch (AssertionError | Exception e) {
                say(console, "BROKEN: %s", e);
                say(console, "Repeat it with: ./spindle torture --pipelines --seed %d", next);
                return 1;
            }
            count++;
            if (System.nanoTime() - said >= PROGRESS_NANOS) {
                said = System.nanoTime();
                double done = Math.floor(100 * Math.min(1, timeShare(said - begin)));
                say(console, "  %.0f %%: %,d pipelines, %,d events; at seed %d", done, count, events, next);
            }
        } while (timeShare(System.nanoTime() - begin) < 1);
        say(console, "All %,d pipelines kept every promise: %,d events were accepted.", count, events);
        return 0;
    }

    private boolean isShareLeft(Tally tally, long nanos) {
        return share(tally, nanos) < 1;
    }

    /** How much of the work has been done. */
    private double share(Tally tally, long nanos) {
        if (tasks != null) {
            return (double) tally.tasks() / tasks;
        }
        return timeShare(nanos);
    }

    private double timeShare(long nanos) {
        double asked = minutes != null ? minutes : MINUTES;
        return asked == 0 ? 1 : nanos / (asked * 60e9);
    }

    private void progress(Tally tally, long nanos, long seedNow, PrintWriter console) {
        say(
                console,
                "  %.0f %%: %,d programs, %,d tasks, %,.0f per second; at seed %d",
                Math.floor(100 * Math.min(1, share(tally, nanos))),
                tally.programs(),
                tally.tasks(),
                tally.tasks() / (nanos / 1e9),
                seedNow);
    }

    // ---------------------------------------------------------------- a failure

    private void broken(Program program, Violations violations, PrintWriter console)
            throws InterruptedException, IOException {
        say(console, "BROKEN by the program of seed %d:%n%s", program.seed(), violations.text());
        if (replay == null) {
            say(console, "Repeat it with: ./spindle torture --seed %d", program.seed());
        }
        if (shrink == 0) {
            return;
        }
        say(console, "Looking for a smaller one, for %d s at the most ...", shrink);
        Shrinker shrinker = new Shrinker(
                one -> trial(one, SMALL_LIMIT),
                Duration.ofSeconds(shrink),
                RUNS_TO_SHRINK,
                PER_PROGRAM,
                text -> say(console, "  %s", text));
        Shrinker.Result result = shrinker.shrink(program, violations);
        Program smallest = result.program();
        Path file = save != null ? save : Path.of("torture-" + program.seed() + ".txt");
        String text = ProgramText.write(smallest);
        say(
                console,
                "%nThe smallest that fails, of %,d tried:%n%n%s%n%s",
                result.tried(),
                text,
                result.violations().text());
        Files.writeString(file, "# ./spindle torture --replay " + file + "\n" + text);
        say(console, "Repeat it with: ./spindle torture --replay %s", file);
        confirm(smallest, console);
    }

    /** Says how often a program fails, which tells how long a repetition may take. */
    private void confirm(Program program, PrintWriter console) throws InterruptedException {
        int failed = 0;
        int runs = 0;
        for (long begin = System.nanoTime();
                runs < RUNS_TO_CONFIRM && System.nanoTime() - begin < SMALL_LIMIT.toNanos();
                runs++) {
            failed += trial(program, SMALL_LIMIT).isEmpty() ? 0 : 1;
        }
        say(console, "It fails in %d of %d runs.", failed, runs);
    }

    private Violations trial(Program program, Duration limit) throws InterruptedException {
        return Checker.check(program, Run.of(program, facade, limit));
    }

    private static void say(PrintWriter console, String format, Object... values) {
        console.printf(Locale.ROOT, format + "%n", values);
        console.flush();
    }
}
