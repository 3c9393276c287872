// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.commands.CommandLines;
import dev.spindle.commands.Dashboards;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line of Spindle, with the commands that need no libraries other than picocli. The launcher runs the other
 * commands from their own modules.
 */
@Command(
        name = "spindle",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true,
        header = "Spindle: many strands, few threads.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {DemoCommand.class, ExampleCommand.class},
        footerHeading = "%nBuilt, with the libraries that they need, when ./spindle is asked for them:%n",
        footer = {
            "  gateway    Answers HTTP requests with calls of other servers.",
            "  kafka      Handles real flights in several processes that come and go.",
            "  bench      Compares executors in processes of their own.",
            "  torture    Runs random programs and checks what the library promises.",
            "  handovers  Looks for lost wake-ups."
        })
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(CommandLines.run(commandLine(), args));
    }

    public static CommandLine commandLine() {
        return Dashboards.addTo(CommandLines.of(new CommandLine(new Main())));
    }
}
