// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Choice;
import dev.spindle.benchmarks.forks.FutexCalls;
import dev.spindle.benchmarks.forks.Machine;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.MeasuringCommand;
import dev.spindle.benchmarks.forks.Selection;
import dev.spindle.benchmarks.pool.stage.Burn;
import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import dev.spindle.benchmarks.pool.stage.Measurement;
import dev.spindle.benchmarks.report.Column;
import dev.spindle.benchmarks.report.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench pool}: small tasks on one executor, by Spindle, by its peers and by plain threads without any hand-over.
 * Ends with 1 when a fork of Spindle's failed or any task did not run exactly once.
 */
@Command(
        name = "pool",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares executors of small tasks: Spindle, three of the JDK, three of libraries, and the limit (plain"
                    + " threads that do the work where they stand).",
            "Every round starts one JVM per cell and contender. Close other programs: the figures are ratios within"
                    + " one run, and a busy machine widens them.",
            "--cells takes the names of groups of cells, too."
        })
public final class PoolCommand extends MeasuringCommand {
    private static final int DEFAULT_ROUNDS = 5;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds; fewer than 5 give no verdict. Default: " + DEFAULT_ROUNDS + ".")
    private @Nullable Integer rounds;

    @Mixin
    private final Selection selection = new Selection();

    @Option(
            names = "--quick",
            description =
                    "One short round of a cell of each kind, under 3 minutes: shows that all works, not how fast.")
    private boolean quick;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Also writes forks.csv, results.json, report.md and report.html into this folder.")
    private @Nullable Path out;

    @Option(
            names = "--resume",
            paramLabel = "FOLDER",
            description = "Goes on with the run in this folder, as it was planned.")
    private @Nullable Path resume;

    @Option(
            names = "--futex",
            description =
                    "Also counts system calls (futex), each fork's in a fork of its own: with perf, or with strace"
                            + " where that is not allowed.")
    private boolean futex;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter console = console();
        if (selection.list()) {
            console.print(Listing.text());
            console.flush();
            return 0;
        }
        Machine machine = Machine.here();
        Run run;
        try {
            run = resume == null ? begin(machine, console) : goOn(resume, machine);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        return execute(run, machine, console);
    }

    /**
     * What to run.
     *
     * @param before what an earlier part of the run found
     * @param folder null when nothing is to be written
     */
    private record Run(
            Plan plan, List<ForkResult> before, @Nullable Folder folder) {}

    private Run begin(Machine machine, PrintWriter console) throws IOException {
        int asked = rounds == null ? DEFAULT_ROUNDS : rounds;
        if (asked < 1) {
            throw usage("--rounds must be at least 1, was " + asked);
        }
        List<Cell> chosenCells = possible(Listing.cells(selection.cells(), quick), console);
        List<Contender> chosen =
                new Choice(this::usage).of("contender", selection.contenders(), Contender.all(), Contender::id);
        chosen.forEach(contender -> contender
                .absence()
                .ifPresent(reason -> console.println("Left out: " + contender.title() + ": " + reason + ".")));
        Plan plan = Plan.of(
                new Plan.Terms(quick, Burn.calibrate(), tool(console)),
                quick && rounds == null ? 1 : asked,
                chosenCells,
                chosen);
        if (plan.forks().isEmpty()) {
            throw usage(selection.nothingChosen());
        }
        return new Run(plan, List.of(), out == null ? null : Folder.begin(out, machine, plan));
    }

    /** Without those that this machine cannot run, which are named. */
    private static List<Cell> possible(List<Cell> asked, PrintWriter console) {
        List<Cell> possible = new ArrayList<>();
        for (Cell cell : asked) {
            Optional<String> absence = cell.confinement().absence();
            if (absence.isPresent()) {
                console.println("Left out: " + cell.title() + ": " + absence.get() + ".");
            } else {
                possible.add(cell);
            }
        }
        return possible;
    }

    private Optional<FutexCalls.Tool> tool(PrintWriter console) {
        if (!futex) {
            return Optional.empty();
        }
        Optional<FutexCalls.Tool> tool = Arrays.stream(FutexCalls.Tool.values())
                .filter(FutexCalls.Tool::works)
                .findFirst();
        console.println(tool.map(found -> "System calls are counted by " + found.text() + ".")
                .orElse("Left out: system calls: neither perf nor strace is there and allowed to count them."));
        return tool;
    }

    private Run goOn(Path path, Machine machine) throws IOException {
        if (quick || futex || out != null || rounds != null || !selection.isEmpty()) {
            throw usage("--resume goes on as '" + path
                    + "' was planned; leave out --quick, --futex, --out, --rounds, --cells and --contenders");
        }
        Folder folder = Folder.existing(path, machine);
        return new Run(folder.plan(), folder.measured(), folder);
    }

    private static int execute(Run run, Machine machine, PrintWriter console) throws IOException, InterruptedException {
        Plan plan = run.plan();
        List<ForkResult> before = run.before();
        Folder folder = run.folder();
        Set<Plan.Fork> done = new HashSet<>();
        before.forEach(result -> done.add(result.fork()));
        List<Plan.Fork> left =
                plan.forks().stream().filter(fork -> !done.contains(fork)).toList();
        console.println(machine.text());
        console.printf(
                Locale.ROOT,
                "%d forks, one after the other%s; about %s on an undisturbed machine.%n",
                left.size(),
                before.isEmpty()
                        ? ""
                        : " (" + before.size() + " of " + plan.forks().size() + " are there already)",
                Choice.minutes(plan.expected(left)));
        console.flush();
        List<ForkResult> results = new ArrayList<>(before);
        try (ForkRunner runner = new ForkRunner(plan.terms(), console::println)) {
            runAll(left, plan, runner, folder, results, console);
        }
        return report(plan, new Results(results), folder, machine, console);
    }

    private static void runAll(
            List<Plan.Fork> left,
            Plan plan,
            ForkRunner runner,
            @Nullable Folder folder,
            List<ForkResult> results,
            PrintWriter console)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; i < left.size(); i++) {
            ForkResult result = runner.run(left.get(i));
            results.add(result);
            if (folder != null) {
                folder.add(result);
            }
            Duration rest = rest(plan, left, i + 1, Duration.ofNanos(System.nanoTime() - start));
            console.printf(
                    Locale.ROOT,
                    "[%d/%d] round %d  %-22s  %-10s  %s  (%s left)%n",
                    i + 1,
                    left.size(),
                    result.round(),
                    result.cell().name(),
                    result.contender().id(),
                    summary(result),
                    Choice.minutes(rest));
            console.flush();
        }
    }

    private static int report(Plan plan, Results results, @Nullable Folder folder, Machine machine, PrintWriter console)
            throws IOException {
        boolean full = !plan.terms().quick();
        Report report = new Report(results, machine, full);
        List<Verdict> verdicts = full ? report.verdicts() : List.of();
        String markdown = report.markdown();
        console.println();
        console.print(markdown);
        console.flush();
        if (folder != null) {
            folder.finish(results, machine, plan.terms(), markdown, verdicts);
        }
        return results.complete() ? 0 : 1;
    }

    /** What is left by the plan, stretched or shrunk as what is done was. */
    private static Duration rest(Plan plan, List<Plan.Fork> forks, int done, Duration took) {
        Duration expected = plan.expected(forks.subList(0, done));
        double factor = (double) took.toMillis() / Math.max(1, expected.toMillis());
        return Duration.ofMillis(
                (long) (plan.expected(forks.subList(done, forks.size())).toMillis() * factor));
    }

    private static String summary(ForkResult result) {
        Measurement measured = result.measurement();
        if (measured == null) {
            return result.problem();
        }
        Figure figure = result.cell().figures().get(0);
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%10s ", Column.number(measured.get(figure))))
                .append(figure.title());
        double cpu = measured.get(Figure.CPU_PER_TASK);
        if (!Double.isNaN(cpu)) {
            text.append(", ").append(Column.number(cpu)).append(" us CPU/task");
        }
        double calls = measured.get(Figure.FUTEX);
        if (!Double.isNaN(calls)) {
            text.append(", ").append(Column.number(calls)).append(" futex/task");
        }
        if (measured.miscounted() > 0) {
            text.append(", MISCOUNTED: ").append(measured.miscounted());
        }
        if (measured.get(Figure.FOREIGN) > MachineLoad.FOREIGN_LIMIT) {
            text.append(String.format(Locale.ROOT, ", others took %.0f %%", measured.get(Figure.FOREIGN)));
        }
        return text.toString();
    }
}
