// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.market;

import dev.spindle.commands.Range;
import dev.spindle.examples.Example;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code spindle example market}, which runs {@link MarketFeed}. */
@Command(
        name = "market",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Shows prices that come faster than they can be shown, with a conflating channel.",
        footer = {
            "",
            "Exit status: 0 when the last price of each instrument was shown and none after a later one; 1 when not."
        })
public final class MarketCommand extends Example {
    @Option(
            names = "--instruments",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many there are. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1_000_000)
    private int instruments;

    @Option(
            names = "--feeds",
            paramLabel = "N",
            defaultValue = "2",
            description = "Threads that send prices. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1024)
    private int feeds;

    @Option(
            names = "--quotes",
            paramLabel = "N",
            defaultValue = "2000000",
            description = "Prices that each of them sends. Default: ${DEFAULT-VALUE}.")
    @Range(least = 0, most = 1_000_000_000)
    private int quotes;

    @Option(
            names = "--work",
            paramLabel = "N",
            defaultValue = "500",
            description = "Atomic increments that the screen does for a price. Default: ${DEFAULT-VALUE}.")
    @Range(least = 0, most = 1_000_000_000)
    private int work;

    /** Runs this example as a program of its own. */
    public static void main(String[] arguments) {
        start(new MarketCommand(), arguments);
    }

    @Override
    protected Outcome act() throws InterruptedException {
        MarketFeed.Result result = new MarketFeed(instruments, feeds, quotes, work).run(this::step);
        return new Outcome(
                String.format(
                        Locale.ROOT,
                        "%,d prices of %,d instruments, %,d shown, %,d superseded by later ones",
                        result.offered(),
                        instruments,
                        result.shown(),
                        result.superseded()),
                "every instrument shows its last price, and none went back.",
                result.isSound() ? null : result.toString());
    }
}
