// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.Choice;
import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.MeasuringCommand;
import dev.spindle.benchmarks.forks.Selection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench gatling}: events from many sources, in order per source, by Spindle, by its peers and by plain threads
 * without any queue. Ends with 1 when a fork of Spindle's failed or any event was out of order, lost or doubled.
 */
@Command(
        name = "gatling",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Compares ways to keep events in order per key: Spindle, one thread per key, four libraries that share"
                    + " their threads, one that hashes keys onto threads, and the limit (plain threads, no queue).",
            "Every round starts one JVM per cell and contender. Close other programs: the figures are ratios within"
                    + " one run, and a busy machine widens them."
        })
public final class GatlingCommand extends MeasuringCommand {
    private static final double QUICK_SCALE = 0.02;

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
            description = "One round with a fiftieth of the events and no warm-up: shows that all works, not how fast.")
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
            console.print(listing());
            console.flush();
            return 0;
        }
        if (rounds < 1) {
            throw usage("--rounds must be at least 1, was " + rounds);
        }
        Choice choice = new Choice(this::usage);
        Plan plan = Plan.of(
                quick ? 1 : rounds,
                choice.of("cell", selection.cells(), Cell.ALL, Cell::name),
                choice.of("contender", selection.contenders(), Arrays.asList(Contender.values()), Contender::id));
        if (plan.forks().isEmpty()) {
            throw usage(selection.nothingChosen());
        }
        if (out != null) {
            Files.createDirectories(out); // now, rather than fail with all figures in hand
        }
        Results results = run(plan, new ForkRunner(quick ? QUICK_SCALE : 1), console);
        String markdown = new Report(results).markdown(Runtime.getRuntime().availableProcessors(), !quick);
        console.println();
        console.print(markdown);
        console.flush();
        if (out != null) {
            Files.writeString(out.resolve("report.md"), markdown);
        }
        return clean(results) ? 0 : 1;
    }

    private Results run(Plan plan, ForkRunner runner, PrintWriter console) throws IOException, InterruptedException {
        int total = plan.forks().size();
        Duration expected = quick ? Duration.ofSeconds(total) : plan.expected();
        console.printf(
                Locale.ROOT,
                "%d forks, one after the other; about %s on an undisturbed machine.%n",
                total,
                Choice.minutes(expected));
        console.flush();
        List<ForkResult> results = new ArrayList<>();
        for (Plan.Fork fork : plan.forks()) {
            ForkResult result = runner.run(fork);
            results.add(result);
            if (out != null) { // after each, so that a comparison that is broken off leaves its figures
                Files.writeString(out.resolve("forks.csv"), new Report(new Results(results)).csv());
            }
            console.printf(
                    Locale.ROOT,
                    "[%d/%d] round %d  %-15s  %-14s  %s%n",
                    results.size(),
                    total,
                    fork.round(),
                    fork.cell().name(),
                    fork.contender().id(),
                    summary(result));
            console.flush();
        }
        return new Results(results);
    }

    private static String summary(ForkResult result) {
        Measurement measured = result.measurement();
        if (measured == null) {
            return result.problem();
        }
        String figure = result.cell().blocks()
                ? String.format(Locale.ROOT, "%8.1f ms longest wait", measured.delayMillis())
                : String.format(Locale.ROOT, "%8.1f ms", measured.millis());
        String broken = measured.violations() == 0 ? "" : "  VIOLATIONS: " + measured.violations();
        boolean disturbed = measured.foreignPercent() > MachineLoad.FOREIGN_LIMIT;
        return figure
                + broken
                + (disturbed ? String.format(Locale.ROOT, "  (others took %.0f %%)", measured.foreignPercent()) : "");
    }

    private static boolean clean(Results results) {
        return results.forks().stream()
                .filter(fork -> fork.contender().family() == Contender.Family.OURS)
                .allMatch(fork -> Optional.ofNullable(fork.measurement())
                        .map(measured -> measured.violations() == 0)
                        .orElse(false));
    }

    private static String listing() {
        return Stream.of(
                        Stream.of("Cells:"),
                        Cell.ALL.stream().map(cell -> Choice.entry(cell.name(), cell.title())),
                        Stream.of("Contenders:"),
                        Arrays.stream(Contender.values()).map(one -> Choice.entry(one.id(), one.title())))
                .flatMap(Function.identity())
                .collect(Collectors.joining(System.lineSeparator(), "", System.lineSeparator()));
    }
}
