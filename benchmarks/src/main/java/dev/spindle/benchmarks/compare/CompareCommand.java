// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.commands.CommandLines;
import dev.spindle.commands.ConsoleCommand;
import dev.spindle.commands.Range;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs a {@link Comparison} from the command line. The exit status is 1 if a fork of Spindle failed, or if any
 * contender lost, duplicated or reordered an operation.
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
    private static final String ENTRY = "  %-26s %s%n";

    private final Comparison comparison;

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

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds; fewer than 5 give no verdict. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1000)
    private int rounds;

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

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Also writes report.md and forks.csv, a line per fork, into this folder; goes on with the run"
                    + " that is there, if it was broken off.")
    private @Nullable Path out;

    private enum Collector {
        PARALLEL,
        G1;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private CompareCommand(Comparison comparison) {
        this.comparison = comparison;
    }

    public static CommandLine of(Comparison comparison) {
        CommandLine command = new CommandLine(new CompareCommand(comparison)).setCaseInsensitiveEnumValuesAllowed(true);
        command.getCommandSpec().name(comparison.name()).usageMessage().header(comparison.title() + ".");
        return command;
    }

    @Override
    protected int run() throws IOException, InterruptedException {
        PrintWriter console = out();
        if (list) {
            list(console);
            return 0;
        }
        List<ForkResult.Fork> forks = plan(console);
        List<String> jvm = new ArrayList<>();
        jvm.add(collector == Collector.G1 ? "-XX:+UseG1GC" : "-XX:+UseParallelGC");
        jvm.addAll(comparison.jvmArguments().get());
        RunFolder folder = null;
        List<ForkResult> results = new ArrayList<>();
        if (out != null) {
            try {
                folder = RunFolder.open(out, comparison, terms(), jvm);
                jvm = folder.jvm();
                results.addAll(folder.measured(comparison));
            } catch (IllegalArgumentException e) {
                throw wrong("--out", out, e.getMessage() + "; take another folder");
            } catch (IOException e) {
                throw wrong("--out", out, "is no folder that can be written: " + CommandLines.text(e));
            }
        }
        console.println(Report.machine());
        execute(forks, jvm, results, folder, console);
        Results all = new Results(results);
        String markdown = new Report(comparison, all, !quick).markdown();
        console.println();
        console.print(markdown);
        console.flush();
        if (folder != null) {
            folder.write("report.md", markdown);
        }
        return all.clean() ? 0 : 1;
    }

    private Subject.Scale scale() {
        return quick ? Subject.Scale.QUICK : Subject.Scale.FULL;
    }

    private String terms() {
        return (quick ? "scaled down" : "full size") + (futex ? ", system calls counted, " : ", ") + "collector "
                + collector;
    }

    private void list(PrintWriter console) {
        console.println("Cells, by group:");
        for (Cell cell : comparison.cells()) {
            console.printf(ENTRY, cell.name(), cell.group().equals(cell.name()) ? "" : cell.group());
            console.printf(ENTRY, "", cell.title());
            console.printf(ENTRY, "", join(cell.contenders(), Contender::id));
        }
        console.println("Contenders:");
        comparison.contenders().forEach(one -> console.printf(ENTRY, one.id(), one.title()));
        console.flush();
    }

    private static <T> String join(Collection<T> all, Function<T, String> name) {
        return all.stream().map(name).collect(Collectors.joining(", "));
    }

    private List<ForkResult.Fork> plan(PrintWriter console) {
        if (futex && !Perf.countsFutex()) {
            throw usage(
                    "Invalid option '--futex': there is no perf here, or it may not count system calls; leave it out");
        }
        Set<String> groups = new HashSet<>();
        boolean onePerGroup = quick && cells.isEmpty();
        List<Cell> asked = chosen("cell", cells, comparison.cells(), cell -> List.of(cell.name(), cell.group()));
        asked = asked.stream()
                .filter(cell -> !onePerGroup || groups.add(cell.group()))
                .toList();
        List<Cell> possible = possible(console, asked, Cell::title, Cell::absence);
        List<Contender> taking =
                chosen("contender", contenders, comparison.contenders(), one -> List.of(one.id())).stream()
                        .filter(one -> possible.stream()
                                .anyMatch(cell -> cell.contenders().contains(one)))
                        .toList();
        taking.stream().map(Contender::requirement).distinct().forEach(needed -> needed.prepare(console));
        taking = possible(console, taking, Contender::title, Contender::absence);
        List<ForkResult.Fork> forks = new ArrayList<>();
        for (int round = 1; round <= (quick ? 1 : rounds); round++) {
            for (Cell cell : possible) {
                List<Contender> order = new ArrayList<>(taking);
                order.retainAll(cell.contenders());
                Collections.rotate(order, -(round - 1)); // each round starts with another contender
                for (Contender contender : order) {
                    forks.add(new ForkResult.Fork(round, cell, contender));
                }
            }
        }
        if (forks.isEmpty()) {
            throw usage("none of the contenders " + contenders + " takes part in the cells " + cells);
        }
        return forks;
    }

    /** Returns the elements that this machine and this JVM can run, and prints the reason for each other element. */
    private static <T> List<T> possible(
            PrintWriter console, List<T> all, Function<T, String> title, Function<T, Optional<String>> absence) {
        List<T> possible = new ArrayList<>();
        for (T one : all) {
            absence.apply(one)
                    .ifPresentOrElse(
                            reason -> console.println("Left out: " + title.apply(one) + ": " + reason + "."),
                            () -> possible.add(one));
        }
        return possible;
    }

    private <T> List<T> chosen(String what, List<String> asked, List<T> all, Function<T, List<String>> names) {
        for (String name : asked) {
            if (all.stream().noneMatch(one -> names.apply(one).contains(name))) {
                String there = join(all, one -> names.apply(one).get(0));
                throw usage("unknown " + what + " '" + name + "'; there are: " + there);
            }
        }
        return all.stream()
                .filter(one -> asked.isEmpty() || names.apply(one).stream().anyMatch(asked::contains))
                .toList();
    }

    /** Runs the forks that have no result in {@code results}, and adds their results. */
    private void execute(
            List<ForkResult.Fork> forks,
            List<String> jvm,
            List<ForkResult> results,
            @Nullable RunFolder folder,
            PrintWriter console)
            throws IOException, InterruptedException {
        List<ForkResult.Fork> left = new ArrayList<>(forks);
        results.forEach(result -> left.remove(result.fork()));
        String there = results.isEmpty() ? "" : " (" + results.size() + " are there already)";
        console.println(left.size() + " forks, one after the other" + there + "; about " + expected(left)
                + " on an undisturbed machine.");
        console.flush();
        ForkRunner runner = new ForkRunner(comparison, jvm, scale(), futex);
        for (int i = 0; i < left.size(); i++) {
            ForkResult result = runner.run(left.get(i));
            results.add(result);
            if (folder != null) {
                folder.add(result);
            }
            ForkResult.Fork fork = result.fork();
            String place = String.format(
                    Locale.ROOT,
                    "[%d/%d] round %d  %-14s  %-20s  ",
                    i + 1,
                    left.size(),
                    fork.round(),
                    fork.cell(),
                    fork.contender());
            String rest = "  (" + expected(left.subList(i + 1, left.size())) + " left)";
            console.println(place + result.summary() + rest);
            console.flush();
        }
    }

    private String expected(List<ForkResult.Fork> forks) {
        long seconds = forks.stream()
                .map(fork -> fork.cell().expected(scale()))
                .reduce(Duration.ZERO, Duration::plus)
                .toSeconds();
        return seconds < 100 ? seconds + " s" : (seconds + 30) / 60 + " min";
    }
}
