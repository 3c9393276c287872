// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import dev.spindle.commands.ConsoleCommand;
import dev.spindle.commands.Range;
import dev.spindle.demo.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code spindle kafka demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Handles real flights in several processes, while some are killed and others join.",
        description = {
            "",
            "The events of the flights go through a topic whose key is the aircraft. Each process handles those of"
                    + " its partitions, many aircraft at once and each in order; handling an event waits for a look-up"
                    + " and changes the state of the aircraft, which is a file. Processes are killed, stopped and"
                    + " started meanwhile. At the end the state of each aircraft must be that of a run in one process.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle kafka demo                             with a broker of its own",
            "  spindle kafka demo --bootstrap localhost:9092  with a broker of yours",
            "",
            "Exit status: 0 the states are equal; 1 not; 2 wrong usage, or no broker."
        })
final class KafkaDemoCommand extends ConsoleCommand {
    private static final int MOST_EVENTS = 10_000_000;
    private static final int MOST_PROCESSES = 4;
    private static final int LONGEST_LOOK_UP = 1_000;

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT",
            description = "The address of a broker. A topic is created there, and deleted at the end."
                    + " Default: a broker of the demo's own.")
    private @Nullable String bootstrap;

    @Range(least = 2, most = MOST_PROCESSES)
    @Option(
            names = "--processes",
            paramLabel = "N",
            defaultValue = "3",
            description = "Consumer processes at the start. Default: ${DEFAULT-VALUE}.")
    private int processes = 3;

    @Range(least = 1, most = MOST_EVENTS)
    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "60000",
            description = "Events of flights to handle, at most those of three months. Default: ${DEFAULT-VALUE}.")
    private int events = 60_000;

    @Range(least = 0, most = LONGEST_LOOK_UP)
    @Option(
            names = "--lookup",
            paramLabel = "MS",
            defaultValue = "5",
            description = "How long handling an event waits, in milliseconds. Default: ${DEFAULT-VALUE}.")
    private int lookUp = 5;

    @Override
    protected int run() throws Exception {
        if (bootstrap != null && !bootstrap.matches("[^\\s:,]+:\\d{1,5}(,[^\\s:,]+:\\d{1,5})*")) {
            throw wrong("--bootstrap", bootstrap, "is no address of a broker; write for example localhost:9092");
        }
        try {
            KafkaDemo demo = new KafkaDemo(out(), err(), Terminal.showsErrors());
            return demo.run(bootstrap, processes, events, lookUp) ? 0 : 1;
        } catch (NoBrokerException e) {
            err().println("spindle kafka demo: " + e.getMessage());
            err().flush();
            return 2;
        }
    }
}
