// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.Lane;
import dev.spindle.commands.Range;
import dev.spindle.verify.torture.tools.Spindles;
import dev.spindle.verify.torture.tools.Timeouts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs random programs and checks the promises. The exit status is 1 if a promise was broken. */
@Command(
        name = "torture",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Runs random programs on pools of random shapes, and checks the log of each against the promises:"
                    + " order, overlap, loss, doubles, supersession, memory effects, bounds, shutdown.",
            "Also, in turn: random pipelines, conflations at their bounds, actors, channels, and heartbeats that"
                    + " have to keep their pace while lanes always have tasks, tasks and callbacks block, and"
                    + " factories are slow or fail.",
            "A program that breaks a promise is shrunk to a small one, which is printed and stored for --replay."
        },
        footer = {
            "",
            "Examples:",
            "  spindle torture                             one minute",
            "  spindle torture --tasks 1000000000          a billion tasks",
            "  spindle torture --seed 4711 --minutes 5     one program, repeated",
            "  spindle torture --only pipelines            pipelines only",
            "  spindle torture --gc g1 --minutes 10        with another collector",
            "  spindle torture --share 6 --minutes 10      in a JVM that is stopped for 94 of each 100 ms",
            "  spindle torture --replay torture-4711.txt   a shrunk program, until it fails or a minute is over",
            "",
            "Exit status: 0 for success, 1 for a broken promise, 2 for a wrong option."
        })
public final class TortureCommand extends CheckCommand {
    private static final double MINUTES = 1;
    private static final int MOST_TASKS = 1 << 18;
    private static final int FEW_TASKS = 1 << 14;
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
            description = "How long programs are started; at least one runs. Default: 1.")
    @Range(least = 0, most = 100_000)
    private @Nullable Double minutes;

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description = "About how many tasks are submitted to pools; instead of --minutes.")
    @Range(least = 1, most = Long.MAX_VALUE)
    private @Nullable Long tasks;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Repeats the program of this seed, for a pool or of the kind of --only. Its timing"
                    + " differs each time. Default: a new seed each time.")
    private @Nullable Long seed;

    @Option(
            names = "--only",
            paramLabel = "KIND",
            description = "One of pools, pipelines, conflations, actors, channels, heartbeats. Default: all in turn.")
    private @Nullable String only;

    @Option(
            names = "--gc",
            paramLabel = "NAME",
            description = "Runs in a JVM of its own with this collector: serial, parallel, g1 or z.")
    private @Nullable String gc;

    @Option(
            names = "--share",
            paramLabel = "PERCENT",
            description = "Runs in a JVM of its own that runs for this many of each 100 ms and is stopped for the rest."
                    + " Default: 100, never stopped.")
    @Range(least = 1, most = 100)
    private int share = 100;

    @Option(
            names = "--virtual",
            description = "Auxiliary threads are virtual threads. Requires JDK 21 or newer. Leaves out heartbeats,"
                    + " whose tasks spin for one another, and would keep all carriers.")
    private boolean virtual;

    @Option(names = "--replay", paramLabel = "FILE", description = "Repeats the program in this file.")
    private @Nullable Path replay;

    @Option(
            names = "--shrink",
            paramLabel = "SECONDS",
            description = "How long a failing program is shrunk; 0 for no shrinking. Default: 60.")
    @Range(least = 0, most = 86_400)
    private int shrink = SHRINK_SECONDS;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "The file of the smallest program that fails. Default: torture-SEED.txt.")
    private @Nullable Path save;

    private UnaryOperator<Lane> facade = lane -> lane;
    private int mostTasks = MOST_TASKS;

    /** Wraps every lane by a faulty lane and limits the tasks of a program; a test uses this method. */
    TortureCommand against(UnaryOperator<Lane> broken, int most) {
        facade = broken;
        mostTasks = most;
        return this;
    }

    @Override
    protected int run() throws InterruptedException, IOException {
        checkOptions();
        if (virtual) {
            Spindles.useVirtualThreads();
        }
        if (gc != null || share < 100) {
            TortureJvm.Collector collector = gc == null ? null : one(TortureJvm.Collector.values(), "--gc", gc);
            return new TortureJvm(collector, share, arguments()).run(out());
        }
        PrintWriter console = out();
        say(console, "%s", machine());
        mostTasks = Timeouts.isLong() ? Math.min(mostTasks, FEW_TASKS) : mostTasks;
        long first = seed != null ? seed : ThreadLocalRandom.current().nextLong(1_000_000_000);
        if (replay != null) {
            Program program = read(replay);
            say(console, "The program of %s, again and again.", replay);
            return torture(number -> program, first, console);
        }
        if (seed != null && kinds().contains(Kind.POOLS)) {
            Program program = Generator.of(first, mostTasks);
            say(console, "The program of seed %d, again and again.", first);
            return torture(number -> program, first, console);
        }
        if (seed != null) {
            say(console, "The %s of seed %d, again and again.", kinds().get(0).one(), first);
        } else {
            say(console, "%s of seed %d and up.", capital(names()), first);
        }
        return torture(number -> Generator.of(first + number, mostTasks), first, console);
    }

    private List<Kind> kinds() {
        if (only != null) {
            return List.of(one(Kind.values(), "--only", only));
        }
        if (seed != null || replay != null || tasks != null) {
            return List.of(Kind.POOLS);
        }
        return Stream.of(Kind.values())
                .filter(kind -> !virtual || kind != Kind.HEARTBEATS)
                .toList();
    }

    private String names() {
        return kinds().stream().map(Kind::many).collect(Collectors.joining(", "));
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private <E extends Enum<E>> E one(E[] all, String option, String name) {
        for (E one : all) {
            if (one.name().equalsIgnoreCase(name)) {
                return one;
            }
        }
        throw usage(option + " " + name + " is none of " + Arrays.toString(all).toLowerCase(Locale.ROOT));
    }

    /** Returns the arguments that repeat this run in another JVM. */
    private List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("--shrink", Integer.toString(shrink)));
        if (virtual) {
            arguments.add("--virtual");
        }
        if (hasDashboards()) {
            arguments.add("--dashboard");
        }
        addTo(arguments, "--minutes", minutes);
        addTo(arguments, "--tasks", tasks);
        addTo(arguments, "--seed", seed);
        addTo(arguments, "--only", only);
        addTo(arguments, "--replay", replay);
        addTo(arguments, "--save", save);
        return arguments;
    }

    private static void addTo(List<String> arguments, String option, @Nullable Object value) {
        if (value != null) {
            arguments.addAll(List.of(option, value.toString()));
        }
    }

    private void checkOptions() {
        if (minutes != null && tasks != null) {
            throw usage("--minutes and --tasks exclude each other; leave one out");
        }
        if (seed != null && replay != null) {
            throw usage("--seed and --replay exclude each other; leave one out");
        }
        if (virtual && kinds().contains(Kind.HEARTBEATS)) {
            throw usage("--virtual and --only heartbeats exclude each other; leave one out");
        }
        if (virtual && Runtime.version().feature() < 21) {
            throw usage("--virtual requires JDK 21 or newer, this is JDK " + Runtime.version());
        }
        if (!kinds().contains(Kind.POOLS) && (tasks != null || replay != null)) {
            throw usage("--only " + only + " and " + (tasks != null ? "--tasks" : "--replay")
                    + " exclude each other; leave one out");
        }
        requireWritable("--save", save);
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

    /** Runs the kinds alternately; the next one is always the kind that has used the least time. */
    private int torture(LongFunction<Program> programs, long first, PrintWriter console)
            throws InterruptedException, IOException {
        Tally tally = new Tally();
        Map<Kind, Share> shares = new EnumMap<>(Kind.class);
        kinds().forEach(kind -> shares.put(kind, new Share(kind)));
        long begin = System.nanoTime();
        long said = begin;
        do {
            Share mine = Collections.min(shares.values(), Comparator.comparingLong(one -> one.nanos));
            Kind kind = mine.kind;
            long now = System.nanoTime();
            boolean kept = kind == Kind.POOLS
                    ? pool(programs.apply(tally.programs()), tally, console)
                    : other(kind, seed != null ? first : first + mine.count, mine, console);
            mine.count++;
            mine.nanos += System.nanoTime() - now;
            if (!kept) {
                return 1;
            }
            if (System.nanoTime() - said >= PROGRESS_NANOS) {
                said = System.nanoTime();
                progress(tally, shares, said - begin, first, console);
            }
        } while (isShareLeft(tally, System.nanoTime() - begin)
                || shares.values().stream().anyMatch(one -> one.count == 0));
        conclude(tally, shares, console);
        return 0;
    }

    /** The time and the counts of a kind. */
    private static final class Share {
        final Kind kind;
        long count;
        long nanos;
        long what;

        Share(Kind kind) {
            this.kind = kind;
        }
    }

    private boolean pool(Program program, Tally tally, PrintWriter console) throws InterruptedException, IOException {
        Log log = Run.of(program, facade, Timeouts.of(RUN_LIMIT));
        Violations violations = Checker.check(program, log);
        tally.add(log);
        if (!violations.isEmpty()) {
            broken(program, violations, console);
        }
        return violations.isEmpty();
    }

    private static boolean other(Kind kind, long seedNow, Share share, PrintWriter console) {
        try {
            share.what += kind.run(seedNow);
            return true;
        } catch (AssertionError e) {
            say(console, "BROKEN: %s", e);
            say(console, "Repeat it with: ./spindle torture --only %s --seed %d", kind.option(), seedNow);
            return false;
        }
    }

    private static void conclude(Tally tally, Map<Kind, Share> shares, PrintWriter console) {
        shares.forEach((kind, share) -> {
            if (kind == Kind.POOLS) {
                double seconds = share.nanos / 1e9;
                say(
                        console,
                        "All %,d programs kept every promise: %,d tasks in %,.1f s, %,.0f per second: %s.",
                        tally.programs(),
                        tally.tasks(),
                        seconds,
                        tally.tasks() / seconds,
                        tally.fates());
            } else {
                say(
                        console,
                        "All %,d %s kept every promise: %,d %s in %,.1f s.",
                        share.count,
                        kind.many(),
                        share.what,
                        kind.what(),
                        share.nanos / 1e9);
            }
        });
    }

    private boolean isShareLeft(Tally tally, long nanos) {
        return share(tally, nanos) < 1;
    }

    /** Returns the fraction of the work that has been done. */
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

    private void progress(Tally tally, Map<Kind, Share> shares, long nanos, long first, PrintWriter console) {
        String counts = shares.entrySet().stream()
                .map(one -> String.format(
                        Locale.ROOT,
                        "%,d %s",
                        one.getValue().count,
                        one.getKey().many()))
                .collect(Collectors.joining(", "));
        say(
                console,
                "  %.0f %%: %s, %,d tasks; from seed %d",
                Math.floor(100 * Math.min(1, share(tally, nanos))),
                counts,
                tally.tasks(),
                first);
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

    /** Runs a shrunk program several times and prints the number of failures. */
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
