// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import dev.spindle.commands.CommandLines;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The part of Spindle's command line that needs Kafka. */
@Command(name = "spindle", subcommands = KafkaMain.Kafka.class, synopsisSubcommandLabel = "COMMAND")
public final class KafkaMain {
    private KafkaMain() {}

    @Command(
            name = "kafka",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true,
            header = "Handles records of Kafka in order per key, in several processes.",
            synopsisSubcommandLabel = "COMMAND",
            subcommands = KafkaDemoCommand.class)
    static final class Kafka {}

    /** Runs the command and ends the process with its exit status. */
    public static void main(String[] args) {
        System.exit(CommandLines.run(commandLine(), args));
    }

    /** Returns the command line. */
    public static CommandLine commandLine() {
        return CommandLines.of(new CommandLine(new KafkaMain()));
    }
}
