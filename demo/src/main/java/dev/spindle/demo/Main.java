// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.benchmarks.torture.TortureCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of Spindle. */
@Command(
        name = "spindle",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true,
        header = "Spindle: many strands, few threads.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {DemoCommand.class, MarketCommand.class, BenchCommand.class, TortureCommand.class})
public final class Main {

    private Main() {}

    /** Runs the command and ends the process with its exit status. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The whole command line, ready to execute. */
    static CommandLine commandLine() {
        return new CommandLine(new Main()).setParameterExceptionHandler(new UsageErrors());
    }
}
