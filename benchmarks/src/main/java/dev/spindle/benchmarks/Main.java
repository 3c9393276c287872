// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks;

import dev.spindle.benchmarks.coalesce.CoalesceComparison;
import dev.spindle.benchmarks.compare.CompareCommand;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.keyed.KeyedComparison;
import dev.spindle.benchmarks.keyed.KeysCommand;
import dev.spindle.benchmarks.messages.ModelsComparison;
import dev.spindle.benchmarks.messages.SerialComparison;
import dev.spindle.benchmarks.natives.NativeComparison;
import dev.spindle.benchmarks.pipeline.PipelineComparison;
import dev.spindle.benchmarks.pool.DedicatedComparison;
import dev.spindle.benchmarks.pool.ElasticComparison;
import dev.spindle.benchmarks.pool.PoolComparison;
import dev.spindle.benchmarks.start.StartCommand;
import dev.spindle.commands.CommandLines;
import dev.spindle.commands.ConsoleCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

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
            subcommands = {KeysCommand.class, StartCommand.class, Jmh.class},
            footer = {
                "",
                "And 'gateway', an HTTP gateway compared with servers, whose peers are fetched when it is run."
            })
    static final class Bench {}

    @Command(name = "jmh", header = "Runs JMH with the arguments that follow; -h names its options.")
    static final class Jmh extends ConsoleCommand {
        @Unmatched
        private List<String> arguments = new ArrayList<>();

        @Override
        protected int run() throws IOException {
            String[] all = arguments.toArray(String[]::new);
            try {
                new CommandLineOptions(all);
            } catch (CommandLineOptionException e) {
                throw usage("'" + String.join(" ", all) + "': " + e.getMessage() + "; -h names the options of JMH");
            }
            org.openjdk.jmh.Main.main(all);
            return 0;
        }
    }

    public static List<Comparison> comparisons() {
        return List.of(
                KeyedComparison.comparison(),
                PoolComparison.comparison(),
                ElasticComparison.comparison(),
                SerialComparison.comparison(),
                PipelineComparison.comparison(),
                ModelsComparison.comparison(),
                CoalesceComparison.comparison(),
                DedicatedComparison.comparison(),
                NativeComparison.comparison());
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
