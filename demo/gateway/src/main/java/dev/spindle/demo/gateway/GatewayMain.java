// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.gateway;

import dev.spindle.commands.CommandLines;
import dev.spindle.commands.Dashboards;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The part of Spindle's command line that needs the gateway. */
@Command(name = "spindle", subcommands = TrialCommand.class, synopsisSubcommandLabel = "COMMAND")
public final class GatewayMain {
    private GatewayMain() {}

    /** Runs the command and ends the process with its exit status. */
    public static void main(String[] args) {
        System.exit(CommandLines.run(commandLine(), args));
    }

    /** Returns the command line. */
    public static CommandLine commandLine() {
        return Dashboards.addTo(CommandLines.of(new CommandLine(new GatewayMain())));
    }
}
