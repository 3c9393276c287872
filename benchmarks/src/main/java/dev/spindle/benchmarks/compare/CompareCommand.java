// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.Choice;
import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.MeasuringCommand;
import dev.spindle.benchmarks.forks.RawFile;
import dev.spindle.benchmarks.forks.Rounds;
import dev.spindle.benchmarks.forks.Selection;
import dev.spindle.benchmarks.report.Column;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A command that runs a {@link Comparison}. Ends with 1 when a fork of Spindle's failed, or anything was lost, doubled or out
 * of order.
 */
public abstract class CompareCommand extends MeasuringCommand {
    private static final String FORKS = "forks.csv";

    private final Comparison comparison;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds; fewer than 5 give no verdict. Default: ${DEFAULT-VALUE}.")
    private int rounds = 5;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            defaultValue = "2",
            description =
                    "How often at most a round runs again because other processes, or the host of a virtual machine, took "
                            + "more than 15 %% of the machine. Default: ${DEFAULT-VALUE}.")
    private int repeats = 2;

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
        if (rounds < 1) {
            throw usage("--rounds must be at least 1, was " + rounds);
        }
        if (repeats < 0) {
            throw usage("--repeats must be at least 0, was " + repeats);
        }
        List<ForkResult.Fork> forks = plan(console);
        if (forks.isEmpty()) {
            throw usage(selection.nothingChosen());
        }
        if (out != null) {
            Files.createDirectories(out); // now, rather than fail with all figures in hand
            Files.writeString(out.resolve(FORKS), RawFile.head(columns()));
        }
        Machine machine = Machine.here();
        console.println(machine.text());
        Results results = new Results(run(forks, console));
        Report report = new Report(comparison, results, !quick);
        String markdown = report.markdown(machine);
        console.println();
        console.print(markdown);
        console.flush();
        if (out != null) {
            Pictures pictures = new Pictures(comparison, results);
            Files.writeString(out.resolve("report.md"), markdown);
            Files.writeString(out.resolve("report.html"), pictures.page(machine, report));
            pictures.write(out.resolve("pictures"));
        }
        return results.clean() ? 0 : 1;
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

    private List<ForkResult.Fork> plan(PrintWriter console) {
        Choice choice = new Choice(this::usage);
        List<Contender> chosen = choice.of("contender", selection.contenders(), comparison.contenders(), Contender::id);
        chosen.forEach(contender -> contender
                .absence()
                .ifPresent(reason -> console.println("Left out: " + contender.title() + ": " + reason + ".")));
        return Rounds.order(
                quick ? 1 : rounds,
                choice.of("cell", selection.cells(), comparison.cells(), Cell::name),
                chosen,
                (contender, cell) ->
                        contender.absence().isEmpty() && cell.contenders().contains(contender),
                ForkResult.Fork::new);
    }

    private List<ForkResult> run(List<ForkResult.Fork> forks, PrintWriter console)
            throws IOException, InterruptedException {
        Subject.Scale scale = quick ? Subject.Scale.QUICK : Subject.Scale.FULL;
        console.printf(
                Locale.ROOT,
                "%d forks, one after the other; about %s on an undisturbed machine.%n",
                forks.size(),
                Choice.minutes(expected(forks, scale)));
        console.flush();
        ForkRunner runner = new ForkRunner(comparison, scale, quick ? 0 : repeats);
        List<ForkResult> results = new ArrayList<>();
        for (ForkResult.Fork fork : forks) {
            ForkResult result = runner.run(fork);
            results.add(result);
            if (out != null) { // after each, so that a comparison that is broken off leaves its figures
                Files.writeString(out.resolve(FORKS), line(result), StandardOpenOption.APPEND);
            }
            console.printf(
                    Locale.ROOT,
                    "[%d/%d] round %d  %-14s  %-20s  %s  (%s left)%n",
                    results.size(),
                    forks.size(),
                    fork.round(),
                    fork.cell().name(),
                    fork.contender().id(),
                    summary(result),
                    Choice.minutes(expected(forks.subList(results.size(), forks.size()), scale)));
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

    private String line(ForkResult result) {
        ForkResult.Fork fork = result.fork();
        return RawFile.line(
                new RawFile.Row(
                        fork.round(), fork.cell().name(), fork.contender().id(), result.problem(), result.fields()),
                columns());
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
