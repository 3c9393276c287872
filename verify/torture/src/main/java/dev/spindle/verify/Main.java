// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify;

import dev.spindle.commands.CommandLines;
import dev.spindle.commands.Dashboards;
import dev.spindle.verify.handovers.HandoversCommand;
import dev.spindle.verify.torture.TortureCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands that search for broken promises. */
@Command(
        name = "spindle",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {TortureCommand.class, HandoversCommand.class})
public final class Main {
    private Main() {}

    /** Runs the command and ends the process with its exit status. */
    public static void main(String[] arguments) {
        System.exit(CommandLines.run(commandLine(), arguments));
    }

    public static CommandLine commandLine() {
        return Dashboards.addTo(CommandLines.of(new CommandLine(new Main())));
    }
}
