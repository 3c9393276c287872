// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.philosophers;

import dev.spindle.commands.Range;
import dev.spindle.examples.Example;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code spindle example philosophers}, which runs {@link Table}. */
@Command(
        name = "philosophers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Has philosophers dine whose mailboxes are full: a cycle of waits that is found and let go.",
        footer = {
            "",
            "Exit status: 0 when all have eaten as often as they should, with no fork in two hands; 1 when not."
        })
public final class PhilosophersCommand extends Example {
    @Option(
            names = "--seats",
            paramLabel = "N",
            defaultValue = "5",
            description = "How many there are. Default: ${DEFAULT-VALUE}.")
    @Range(least = 3, most = 1_000)
    private int seats;

    @Option(
            names = "--meals",
            paramLabel = "N",
            defaultValue = "20000",
            description = "How often each of them eats. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1_000_000)
    private int meals;

    @Option(
            names = "--words",
            paramLabel = "N",
            defaultValue = "3",
            description = "How much each says to the left before each meal. Default: ${DEFAULT-VALUE}.")
    @Range(least = 0, most = 1000)
    private int words;

    @Option(
            names = "--capacity",
            paramLabel = "N",
            defaultValue = "1",
            description = "Messages that may wait for each. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1_000_000)
    private int capacity;

    /** Runs this example as a program of its own. */
    public static void main(String[] arguments) {
        start(new PhilosophersCommand(), arguments);
    }

    @Override
    protected Outcome act() throws InterruptedException {
        Table.Result result = new Table(seats, meals, words, capacity).run(this::step);
        return new Outcome(
                String.format(
                        Locale.ROOT,
                        "%,d meals, %,d messages let in past full mailboxes",
                        result.eaten(),
                        result.overdrafts()),
                "all have eaten, and no fork was in two hands.",
                result.isSound((long) seats * meals) ? null : result.toString());
    }
}
