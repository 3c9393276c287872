// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.crawler;

import dev.spindle.commands.Range;
import dev.spindle.examples.Example;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code spindle example crawler}, which runs {@link Crawler}. */
@Command(
        name = "crawler",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Crawls a made-up web over channels, so many pages a second, with a select.",
        footer = {"", "Exit status: 0 when every page was fetched once, each with a permit; 1 when not."})
public final class CrawlerCommand extends Example {
    @Option(
            names = "--pages",
            paramLabel = "N",
            defaultValue = "20000",
            description = "How many there are. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 10_000_000)
    private int pages;

    @Option(
            names = "--fetchers",
            paramLabel = "N",
            defaultValue = "8",
            description = "How many are fetched at once. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 100_000)
    private int fetchers;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many are fetched in a second, rounded down to hundreds. Default: ${DEFAULT-VALUE}.")
    @Range(least = 100, most = 10_000_000)
    private int rate;

    /** Runs this example as a program of its own. */
    public static void main(String[] arguments) {
        start(new CrawlerCommand(), arguments);
    }

    @Override
    protected Outcome act() throws InterruptedException {
        Crawler.Result result = new Crawler(pages, fetchers, rate).run(this::step);
        return new Outcome(
                String.format(Locale.ROOT, "%,d pages with %,d permits", result.fetched(), result.granted()),
                "every page was fetched once, each with a permit.",
                result.isSound(pages) ? null : result.toString());
    }
}
