// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.philosophers;

import dev.spindle.examples.Example;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code spindle example philosophers}: see {@link Table}. */
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
            description = "How many there are, from 3. Default: ${DEFAULT-VALUE}.")
    private int seats;

    @Option(
            names = "--meals",
            paramLabel = "N",
            defaultValue = "20000",
            description = "How often each of them eats. Default: ${DEFAULT-VALUE}.")
    private int meals;

    @Option(
            names = "--words",
            paramLabel = "N",
            defaultValue = "3",
            description = "How much each says to the left before each meal. Default: ${DEFAULT-VALUE}.")
    private int words;

    @Option(
            names = "--capacity",
            paramLabel = "N",
            defaultValue = "1",
            description = "Messages that may wait for each. Default: ${DEFAULT-VALUE}.")
    private int capacity;

    /** Starts this example alone. */
    public static void main(String[] arguments) {
        start(new PhilosophersCommand(), arguments);
    }

    @Override
    protected Outcome run() throws InterruptedException {
        requireAtLeast(3, "--seats", seats);
        requireAtLeast(0, "--meals", meals);
        requireAtLeast(0, "--words", words);
        requireAtLeast(1, "--capacity", capacity);
        Table.Result result = new Table(seats, meals, words, capacity).run();
        String cycle = result.cycle() == null ? "nobody waited in a cycle" : "first cycle " + result.cycle();
        return new Outcome(
                String.format(
                        Locale.ROOT,
                        "%,d meals, %,d messages let in past full mailboxes, %s",
                        result.eaten(),
                        result.overdrafts(),
                        cycle),
                "everybody has eaten, and no fork was in two hands.",
                result.isSound(seats * meals) ? null : result.toString());
    }
}
