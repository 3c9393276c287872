// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.PerfFutex;
import dev.spindle.benchmarks.report.Column;
import dev.spindle.commands.CommandLines;
import dev.spindle.commands.ConsoleCommand;
import dev.spindle.commands.Range;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs a {@link Comparison}. Ends with 1 if a fork of Spindle's failed, or if anything was lost, doubled or out of
 * order.
 */
@Command(
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        footer = {
            "",
            "Every round starts one JVM per cell and contender. Close other programs: the figures are ratios within"
                    + " one run, and a busy machine widens them."
        })
public final class CompareCommand extends ConsoleCommand {
    private final Comparison comparison;

    @Mixin
    private final Selection selection = new Selection();

    @Mixin
    private final Extent extent = new Extent();

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Also writes report.md and forks.csv, a line per fork, into this folder; goes on with the run"
                    + " that is there, if it was broken off.")
    private @Nullable Path out;

    /** What is compared. */
    static final class Selection {
        @Option(
                names = "--cells",
                paramLabel = "NAME",
                split = ",",
                description = "Only these cells, or groups of cells, with commas between them; --list names them.")
        private List<String> cells = List.of();

        @Option(
                names = "--contenders",
                paramLabel = "NAME",
                split = ",",
                description = "Only these contenders, with commas between them; --list names them.")
        private List<String> contenders = List.of();

        @Option(names = "--list", description = "Names the cells and the contenders, and ends.")
        private boolean list;
    }

    /** How long and how exactly. */
    static final class Extent {
        @Option(
                names = "--rounds",
                paramLabel = "N",
                defaultValue = "5",
                description = "Rounds; fewer than 5 give no verdict. Default: ${DEFAULT-VALUE}.")
        @Range(least = 1, most = 1000)
        private int rounds;

        @Option(
                names = "--repeats",
                paramLabel = "N",
                defaultValue = "2",
                description = "How often at most a round runs again because other processes, or the host of a virtual"
                        + " machine, took more than 15 %% of the machine. Default: ${DEFAULT-VALUE}.")
        @Range(least = 0, most = 1000)
        private int repeats;

        @Option(
                names = "--quick",
                description = "One round of the first cell of each group, small and without a warm-up: shows that all"
                        + " works, not how fast.")
        private boolean quick;

        @Option(
                names = "--futex",
                description = "Also counts system calls (futex) with perf, each fork's in a fork of its own.")
        private boolean futex;

        @Option(
                names = "--collector",
                paramLabel = "NAME",
                defaultValue = "parallel",
                description = "The garbage collector of the JVMs: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
        private Collector collector = Collector.PARALLEL;

        Subject.Scale scale() {
            return quick ? Subject.Scale.QUICK : Subject.Scale.FULL;
        }

        String terms() {
            return (quick ? "scaled down" : "full size")
                    + (futex ? ", system calls counted" : "")
                    + ", collector "
                    + collector;
        }
    }

    /** A garbage collector of the JDK. */
    private enum Collector {
        PARALLEL("-XX:+UseParallelGC"),
        G1("-XX:+UseG1GC");

        private final String option;

        Collector(String option) {
            this.option = option;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private CompareCommand(Comparison comparison) {
        this.comparison = comparison;
    }

    /** Returns the command that runs a comparison. */
    public static CommandLine of(Comparison comparison) {
        CommandLine command = new CommandLine(new CompareCommand(comparison)).setCaseInsensitiveEnumValuesAllowed(true);
        command.getCommandSpec().name(comparison.name()).usageMessage().header(comparison.title() + ".");
        return command;
    }

    @Override
    protected int run() throws IOException, InterruptedException {
        PrintWriter console = out();
        if (selection.list) {
            list(console);
            return 0;
        }
        List<ForkResult.Fork> forks = plan(console);
        Machine machine = Machine.here();
        List<String> jvm = new ArrayList<>(List.of(extent.collector.option));
        jvm.addAll(comparison.jvmArguments().get());
        RunFolder folder = null;
        List<ForkResult> results = new ArrayList<>();
        if (out != null) {
            try {
                folder = RunFolder.open(out, comparison, machine, extent.terms(), jvm);
                jvm = folder.jvm();
                results.addAll(folder.measured(comparison));
            } catch (IllegalArgumentException e) {
                throw wrong("--out", out, e.getMessage() + "; take another folder");
            } catch (IOException e) {
                throw wrong("--out", out, "is no folder that can be written: " + CommandLines.text(e));
            }
        }
        console.println(machine.text());
        execute(forks, jvm, results, folder, console);
        Results all = new Results(results);
        String markdown = new Report(comparison, all, !extent.quick).markdown(machine);
        console.println();
        console.print(markdown);
        console.flush();
        if (folder != null) {
            folder.write("report.md", markdown);
        }
        return all.clean() ? 0 : 1;
    }

    private void list(PrintWriter console) {
        String entry = "  %-26s %s%n";
        console.println("Cells, by group:");
        for (Cell cell : comparison.cells()) {
            console.printf(entry, cell.name(), cell.group().equals(cell.name()) ? "" : cell.group());
            console.printf(entry, "", cell.title());
            console.printf(
                    entry, "", cell.contenders().stream().map(Contender::id).collect(Collectors.joining(", ")));
        }
        console.println("Contenders:");
        comparison.contenders().forEach(one -> console.printf(entry, one.id(), one.title()));
        console.flush();
    }

    private List<ForkResult.Fork> plan(PrintWriter console) {
        if (extent.futex && !PerfFutex.works()) {
            throw usage(
                    "Invalid option '--futex': there is no perf here, or it may not count system calls; leave it out");
        }
        List<Cell> cells = chosen(
                "cell",
                selection.cells,
                comparison.cells(),
                (cell, name) -> cell.name().equals(name) || cell.group().equals(name),
                Cell::name);
        if (extent.quick && selection.cells.isEmpty()) {
            List<String> groups = new ArrayList<>();
            cells = cells.stream()
                    .filter(cell -> !groups.contains(cell.group()) && groups.add(cell.group()))
                    .toList();
        }
        List<Contender> contenders = chosen(
                "contender",
                selection.contenders,
                comparison.contenders(),
                (one, name) -> one.id().equals(name),
                Contender::id);
        cells = possible(console, cells, Cell::title, Cell::absence);
        for (Contender.Requirement needed : requirements(cells, contenders)) {
            needed.prepare(console);
        }
        contenders = possible(console, contenders, Contender::title, Contender::absence);
        List<ForkResult.Fork> forks = new ArrayList<>();
        for (int round = 1; round <= (extent.quick ? 1 : extent.rounds); round++) {
            for (Cell cell : cells) {
                List<Contender> order = new ArrayList<>(contenders);
                order.retainAll(cell.contenders());
                Collections.rotate(order, -(round - 1)); // nobody always runs after the same neighbour
                for (Contender contender : order) {
                    forks.add(new ForkResult.Fork(round, cell, contender));
                }
            }
        }
        if (forks.isEmpty()) {
            throw usage(
                    "none of the contenders " + selection.contenders + " takes part in the cells " + selection.cells);
        }
        return forks;
    }

    private static Set<Contender.Requirement> requirements(List<Cell> cells, List<Contender> contenders) {
        return contenders.stream()
                .filter(one -> cells.stream().anyMatch(cell -> cell.contenders().contains(one)))
                .map(Contender::requirement)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Without what this machine or this JVM cannot run, which is named. */
    private static <T> List<T> possible(
            PrintWriter console, List<T> all, Function<T, String> title, Function<T, Optional<String>> absence) {
        List<T> possible = new ArrayList<>();
        for (T one : all) {
            Optional<String> reason = absence.apply(one);
            if (reason.isPresent()) {
                console.println("Left out: " + title.apply(one) + ": " + reason.get() + ".");
            } else {
                possible.add(one);
            }
        }
        return possible;
    }

    private <T> List<T> chosen(
            String what, List<String> names, List<T> all, BiPredicate<T, String> named, Function<T, String> name) {
        for (String asked : names) {
            if (all.stream().noneMatch(one -> named.test(one, asked))) {
                throw usage("unknown " + what + " '" + asked + "'; there are: "
                        + all.stream().map(name).collect(Collectors.joining(", ")));
            }
        }
        return all.stream()
                .filter(one -> names.isEmpty() || names.stream().anyMatch(asked -> named.test(one, asked)))
                .toList();
    }

    /** Adds what is missing to {@code results}. */
    private void execute(
            List<ForkResult.Fork> forks,
            List<String> jvm,
            List<ForkResult> results,
            @Nullable RunFolder folder,
            PrintWriter console)
            throws IOException, InterruptedException {
        List<ForkResult.Fork> left = new ArrayList<>(forks);
        results.forEach(result -> left.remove(result.fork()));
        console.printf(
                Locale.ROOT,
                "%d forks, one after the other%s; about %s on an undisturbed machine.%n",
                left.size(),
                results.isEmpty() ? "" : " (" + results.size() + " are there already)",
                expected(left));
        console.flush();
        ForkRunner runner =
                new ForkRunner(comparison, jvm, extent.scale(), extent.quick ? 0 : extent.repeats, extent.futex);
        for (int i = 0; i < left.size(); i++) {
            ForkResult result = runner.run(left.get(i));
            results.add(result);
            if (folder != null) {
                folder.add(result);
            }
            console.printf(
                    Locale.ROOT,
                    "[%d/%d] round %d  %-14s  %-20s  %s  (%s left)%n",
                    i + 1,
                    left.size(),
                    result.fork().round(),
                    result.fork().cell().name(),
                    result.fork().contender().id(),
                    summary(result),
                    expected(left.subList(i + 1, left.size())));
            console.flush();
        }
    }

    private String expected(List<ForkResult.Fork> forks) {
        Duration time =
                forks.stream().map(fork -> fork.cell().expected(extent.scale())).reduce(Duration.ZERO, Duration::plus);
        return time.toSeconds() < 100 ? time.toSeconds() + " s" : (time.toSeconds() + 30) / 60 + " min";
    }

    private static String summary(ForkResult result) {
        Measurement measured = result.measurement();
        if (measured == null) {
            return result.problem();
        }
        Figure figure = result.fork().cell().figures().get(0);
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%8s ", Column.number(measured.get(figure))))
                .append(figure.title());
        double cpu = measured.get(Figure.CPU);
        if (!Double.isNaN(cpu)) {
            text.append(", CPU ").append(Column.number(cpu)).append(" ns");
        }
        if (measured.violations() > 0) {
            text.append(", VIOLATIONS: ").append(measured.violations());
        }
        if (result.disturbed()) {
            text.append(String.format(Locale.ROOT, ", others took %.0f %%", measured.get(Figure.FOREIGN)));
        }
        return text.toString();
    }
}
