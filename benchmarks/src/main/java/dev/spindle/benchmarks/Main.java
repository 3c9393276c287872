// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks;

import dev.spindle.benchmarks.compare.CompareCommand;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.executors.ElasticComparison;
import dev.spindle.benchmarks.executors.KeyedComparison;
import dev.spindle.benchmarks.executors.ObservedComparison;
import dev.spindle.benchmarks.executors.PoolComparison;
import dev.spindle.benchmarks.messages.CoalesceComparison;
import dev.spindle.benchmarks.messages.ModelsComparison;
import dev.spindle.benchmarks.messages.PipelineComparison;
import dev.spindle.commands.CommandLines;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code ./spindle bench}. */
@Command(
        name = "spindle",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    private Main() {}

    @Command(
            name = "bench",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true,
            header = "Compares executors in processes of their own.",
            synopsisSubcommandLabel = "COMMAND",
            footer = {
                "",
                "And 'gateway', an HTTP gateway compared with servers, and 'kafka', consumers of a broker, whose peers"
                        + " are fetched when they are run."
            })
    static final class Bench {}

    public static List<Comparison> comparisons() {
        return List.of(
                KeyedComparison.comparison(),
                PoolComparison.comparison(),
                ElasticComparison.comparison(),
                PipelineComparison.comparison(),
                ModelsComparison.comparison(),
                CoalesceComparison.comparison(),
                ObservedComparison.comparison());
    }

    public static void main(String[] arguments) {
        System.exit(CommandLines.run(commandLine(), arguments));
    }

    public static CommandLine commandLine() {
        return commandLine(comparisons());
    }

    public static CommandLine commandLine(List<Comparison> comparisons) {
        CommandLine bench = new CommandLine(new Bench());
        for (Comparison comparison : comparisons) {
            bench.addSubcommand(CompareCommand.of(comparison));
        }
        return CommandLines.of(new CommandLine(new Main()).addSubcommand(bench));
    }
}
