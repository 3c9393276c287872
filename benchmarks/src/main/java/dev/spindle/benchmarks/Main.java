// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks;

import dev.spindle.benchmarks.coalesce.CoalesceCommand;
import dev.spindle.benchmarks.handovers.HandoversCommand;
import dev.spindle.benchmarks.keyed.GatlingCommand;
import dev.spindle.benchmarks.keyed.KeysCommand;
import dev.spindle.benchmarks.pipeline.PipelineCommand;
import dev.spindle.benchmarks.pool.DedicatedCommand;
import dev.spindle.benchmarks.pool.PoolCommand;
import dev.spindle.benchmarks.serial.SerialCommand;
import dev.spindle.benchmarks.torture.TortureCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The part of Spindle's command line that needs other libraries: what {@code ./spindle bench} starts. */
@Command(
        name = "spindle",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {Main.Bench.class, TortureCommand.class})
public final class Main {
    private Main() {}

    /** {@code spindle bench}. */
    @Command(
            name = "bench",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true,
            header = "Compares executors in processes of their own, and looks for lost wake-ups.",
            synopsisSubcommandLabel = "COMMAND",
            subcommands = {
                GatlingCommand.class,
                KeysCommand.class,
                PoolCommand.class,
                DedicatedCommand.class,
                CoalesceCommand.class,
                HandoversCommand.class,
                SerialCommand.class,
                PipelineCommand.class
            })
    static final class Bench {}

    /** Runs the command and ends the process with its exit status. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** Returns the whole command line, ready to execute; of a wrong one it says what is wrong, and where the help is. */
    static CommandLine commandLine() {
        return new CommandLine(new Main()).setParameterExceptionHandler((error, arguments) -> {
            CommandLine command = error.getCommandLine();
            String name = command.getCommandSpec().qualifiedName();
            command.getErr().println(name + ": " + error.getMessage());
            command.getErr().println("Try: " + name + " --help");
            command.getErr().flush();
            return command.getCommandSpec().exitCodeOnInvalidInput();
        });
    }
}
