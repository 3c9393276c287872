// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of the gateway's own module, which runs a route file. */
@Command(name = "spindle", subcommands = GatewayCommand.class, synopsisSubcommandLabel = "COMMAND")
public final class Main {
    private Main() {}

    /** Runs the command and ends the process with its exit status. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Returns the command line, which reports wrong arguments in one line. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main()).setParameterExceptionHandler((error, arguments) -> {
            CommandLine command = error.getCommandLine();
            String name = command.getCommandSpec().qualifiedName();
            String near = error instanceof UnmatchedArgumentException unmatched
                            && !unmatched.getSuggestions().isEmpty()
                    ? "; did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?"
                    : ".";
            command.getErr().println(name + ": " + error.getMessage() + near + " Try: " + name + " --help");
            command.getErr().flush();
            return command.getCommandSpec().exitCodeOnInvalidInput();
        });
    }
}
