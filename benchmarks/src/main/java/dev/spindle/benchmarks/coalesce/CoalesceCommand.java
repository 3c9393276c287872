// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.benchmarks.forks.Choice;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.MeasuringCommand;
import dev.spindle.benchmarks.forks.Rounds;
import dev.spindle.benchmarks.forks.Selection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench coalesce}: the latest value of each key, from one and from eight producers. Ends with 1 when a fork of
 * Spindle's failed, a last value was not shown, or one was shown after a later one.
 */
@Command(
        name = "coalesce",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares ways to show the latest value of each key: Spindle's Coalescer and its keyed().coalesce, the"
                    + " algorithm of LMAX's coalescing ring buffer, a map with a queue, and the limit.",
            "Every round starts one JVM per cell and contender. Close other programs: the figures are ratios within"
                    + " one run, and a busy machine widens them."
        })
public final class CoalesceCommand extends MeasuringCommand {
    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds; fewer than 5 give no verdict. Default: ${DEFAULT-VALUE}.")
    private int rounds = 5;

    @Mixin
    private final Selection selection = new Selection();

    @Option(
            names = "--quick",
            description = "One round with 100,000 updates and no warm-up: shows that all works, not how fast.")
    private boolean quick;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Also writes report.md and forks.csv, one line per fork, into this folder.")
    private @Nullable Path out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter console = console();
        if (selection.list()) {
            console.println("Cells:");
            Cell.ALL.forEach(cell -> console.println(Choice.entry(cell.name(), cell.title())));
            console.println("Contenders:");
            Report.contenders().forEach(one -> console.println(Choice.entry(one.id(), one.title())));
            console.flush();
            return 0;
        }
        if (rounds < 1) {
            throw usage("--rounds must be at least 1, was " + rounds);
        }
        Choice choice = new Choice(this::usage);
        List<CoalesceFork.Plan> forks = Rounds.order(
                quick ? 1 : rounds,
                choice.of("cell", selection.cells(), Cell.ALL, Cell::name),
                choice.of("contender", selection.contenders(), Report.contenders(), Contender::id),
                Contender::takesPart,
                CoalesceFork.Plan::new);
        if (forks.isEmpty()) {
            throw usage(selection.nothingChosen());
        }
        if (out != null) {
            Files.createDirectories(out); // now, rather than fail with all figures in hand
        }
        Report report = run(forks, console);
        String markdown = report.markdown(Runtime.getRuntime().availableProcessors(), !quick);
        console.println();
        console.print(markdown);
        console.flush();
        if (out != null) {
            Files.writeString(out.resolve("report.md"), markdown);
        }
        return report.clean() ? 0 : 1;
    }

    private Report run(List<CoalesceFork.Plan> forks, PrintWriter console) throws IOException, InterruptedException {
        console.printf(
                Locale.ROOT, "%d forks, one after the other, of at most %d s each.%n", forks.size(), quick ? 2 : 8);
        console.flush();
        List<CoalesceFork.Result> results = new ArrayList<>();
        for (CoalesceFork.Plan fork : forks) {
            CoalesceFork.Result result = CoalesceFork.start(fork, quick);
            results.add(result);
            if (out != null) { // after each, so that a comparison that is broken off leaves its figures
                Files.writeString(out.resolve("forks.csv"), new Report(results).csv());
            }
            console.printf(
                    Locale.ROOT,
                    "[%d/%d] round %d  %-10s  %-13s  %s%n",
                    results.size(),
                    forks.size(),
                    fork.round(),
                    fork.cell().name(),
                    fork.contender().id(),
                    summary(result));
            console.flush();
        }
        return new Report(results);
    }

    private static String summary(CoalesceFork.Result result) {
        Measurement measured = result.measurement();
        if (measured == null) {
            return result.problem();
        }
        boolean disturbed = measured.foreignPercent() > MachineLoad.FOREIGN_LIMIT;
        return String.format(
                Locale.ROOT,
                "%8.1f ns, CPU %8.1f ns, %,.1f updates for each one shown%s%s",
                measured.nanos(),
                measured.cpuNanos(),
                measured.ratio(),
                measured.violations() == 0 ? "" : "  VIOLATIONS: " + measured.violations(),
                disturbed ? String.format(Locale.ROOT, "  (others took %.0f %%)", measured.foreignPercent()) : "");
    }
}
