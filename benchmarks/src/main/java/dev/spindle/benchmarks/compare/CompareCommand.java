// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.Choice;
import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.MeasuringCommand;
import dev.spindle.benchmarks.forks.RawFile;
import dev.spindle.benchmarks.forks.Rounds;
import dev.spindle.benchmarks.forks.RunFolder;
import dev.spindle.benchmarks.forks.Selection;
import dev.spindle.benchmarks.report.Column;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A command that runs a {@link Comparison}. Ends with 1 when a fork of Spindle's failed, or anything was lost, doubled or out
 * of order.
 */
public abstract class CompareCommand extends MeasuringCommand {
    private static final int DEFAULT_ROUNDS = 5;
    private static final int DEFAULT_REPEATS = 2;

    /** Terms of a run. */
    private static final String QUICK = "quick";

    private static final String REPEATS = "repeats";

    private final Comparison comparison;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds; fewer than 5 give no verdict. Default: " + DEFAULT_ROUNDS + ".")
    private @Nullable Integer rounds;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            description =
                    "How often at most a round runs again because other processes, or the host of a virtual machine, took "
                            + "more than 15 %% of the machine. Default: " + DEFAULT_REPEATS + ".")
    private @Nullable Integer repeats;

    @Mixin
    private final Selection selection = new Selection();

    @Option(
            names = "--quick",
            description = "One round with small cells and no warm-up: shows that all works, not how fast.")
    private boolean quick;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description =
                    "Also writes report.md, report.html, a picture for each cell, and forks.csv, one line per fork, into this"
                            + " folder.")
    private @Nullable Path out;

    @Option(
            names = "--resume",
            paramLabel = "FOLDER",
            description = "Goes on with the run in this folder, as it was planned.")
    private @Nullable Path resume;

    protected CompareCommand(Comparison comparison) {
        this.comparison = comparison;
    }

    @Override
    public final Integer call() throws IOException, InterruptedException {
        PrintWriter console = console();
        if (selection.list()) {
            list(console);
            return 0;
        }
        Machine machine = Machine.here();
        Run run;
        try {
            run = resume == null ? begin(machine, console) : goOn(resume, machine);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        console.println(machine.text());
        Results results = new Results(execute(run, console));
        Report report = new Report(comparison, results, !run.quick());
        String markdown = report.markdown(machine);
        console.println();
        console.print(markdown);
        console.flush();
        RunFolder folder = run.folder();
        if (folder != null) {
            Pictures pictures = new Pictures(comparison, results);
            folder.write("report.md", markdown);
            folder.write("report.html", pictures.page(machine, report));
            pictures.write(folder);
        }
        return results.clean() ? 0 : 1;
    }

    /**
     * What to run.
     *
     * @param forks all of them
     * @param before what an earlier part of the run found
     * @param folder null when nothing is to be written
     */
    private record Run(
            boolean quick,
            int repeats,
            List<ForkResult.Fork> forks,
            List<ForkResult> before,
            @Nullable RunFolder folder) {
        Subject.Scale scale() {
            return quick ? Subject.Scale.QUICK : Subject.Scale.FULL;
        }
    }

    private Run begin(Machine machine, PrintWriter console) throws IOException {
        int askedRounds = rounds == null ? DEFAULT_ROUNDS : rounds;
        if (askedRounds < 1) {
            throw usage("--rounds must be at least 1, was " + askedRounds);
        }
        int askedRepeats = repeats == null ? DEFAULT_REPEATS : repeats;
        if (askedRepeats < 0) {
            throw usage("--repeats must be at least 0, was " + askedRepeats);
        }
        List<ForkResult.Fork> forks = plan(quick ? 1 : askedRounds, console);
        if (forks.isEmpty()) {
            throw usage(selection.nothingChosen());
        }
        int most = quick ? 0 : askedRepeats;
        return new Run(quick, most, forks, List.of(), out == null ? null : folder(out, machine, most, forks));
    }

    private RunFolder folder(Path path, Machine machine, int most, List<ForkResult.Fork> forks) throws IOException {
        Map<String, String> terms = Map.of(QUICK, Boolean.toString(quick), REPEATS, Integer.toString(most));
        List<RunFolder.Planned> planned = forks.stream()
                .map(fork -> new RunFolder.Planned(
                        fork.round(), fork.cell().name(), fork.contender().id()))
                .toList();
        return RunFolder.begin(path, machine, terms, planned, columns());
    }

    private Run goOn(Path path, Machine machine) throws IOException {
        if (quick || out != null || rounds != null || repeats != null || !selection.isEmpty()) {
            throw usage("--resume goes on as '" + path
                    + "' was planned; leave out --quick, --out, --rounds, --repeats, --cells and --contenders");
        }
        RunFolder folder = RunFolder.existing(path, machine, columns());
        return new Run(
                Boolean.parseBoolean(folder.term(QUICK)),
                Integer.parseInt(folder.term(REPEATS)),
                folder.forks(fork -> fork(fork.round(), fork.cell(), fork.contender())),
                folder.measured(row -> ForkResult.measured(
                        fork(row.round(), row.cell(), row.contender()), Measurement.of(row.fields()))),
                folder);
    }

    private ForkResult.Fork fork(int round, String cell, String contender) {
        return new ForkResult.Fork(round, comparison.cell(cell), comparison.contender(contender));
    }

    private void list(PrintWriter console) {
        console.println("Cells:");
        for (Cell cell : comparison.cells()) {
            console.println(Choice.entry(cell.name(), cell.title()));
            String who = cell.contenders().stream().map(Contender::id).collect(Collectors.joining(", "));
            console.println(Choice.entry("", who));
        }
        console.println("Contenders:");
        comparison.contenders().forEach(one -> console.println(Choice.entry(one.id(), one.title())));
        console.flush();
    }

    private List<ForkResult.Fork> plan(int asked, PrintWriter console) {
        Choice choice = new Choice(this::usage);
        List<Contender> chosen = choice.of("contender", selection.contenders(), comparison.contenders(), Contender::id);
        chosen.forEach(contender -> contender
                .absence()
                .ifPresent(reason -> console.println("Left out: " + contender.title() + ": " + reason + ".")));
        return Rounds.order(
                asked,
                choice.of("cell", selection.cells(), comparison.cells(), Cell::name),
                chosen,
                (contender, cell) ->
                        contender.absence().isEmpty() && cell.contenders().contains(contender),
                ForkResult.Fork::new);
    }

    private List<ForkResult> execute(Run run, PrintWriter console) throws IOException, InterruptedException {
        List<ForkResult> results = new ArrayList<>(run.before());
        Set<ForkResult.Fork> done = results.stream().map(ForkResult::fork).collect(Collectors.toSet());
        List<ForkResult.Fork> left =
                run.forks().stream().filter(fork -> !done.contains(fork)).toList();
        console.printf(
                Locale.ROOT,
                "%d forks, one after the other%s; about %s on an undisturbed machine.%n",
                left.size(),
                done.isEmpty() ? "" : " (" + done.size() + " of " + run.forks().size() + " are there already)",
                Choice.minutes(expected(left, run.scale())));
        console.flush();
        ForkRunner runner = new ForkRunner(comparison, run.scale(), run.repeats());
        RunFolder folder = run.folder();
        for (int i = 0; i < left.size(); i++) {
            ForkResult result = runner.run(left.get(i));
            results.add(result);
            if (folder != null) {
                folder.add(row(result));
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
                    Choice.minutes(expected(left.subList(i + 1, left.size()), run.scale())));
            console.flush();
        }
        return results;
    }

    private static Duration expected(List<ForkResult.Fork> forks, Subject.Scale scale) {
        return forks.stream().map(fork -> fork.cell().expected(scale)).reduce(Duration.ZERO, Duration::plus);
    }

    private List<String> columns() {
        return comparison.figures().stream().map(Figure::field).toList();
    }

    private static RawFile.Row row(ForkResult result) {
        ForkResult.Fork fork = result.fork();
        return new RawFile.Row(
                fork.round(), fork.cell().name(), fork.contender().id(), result.problem(), result.fields());
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
