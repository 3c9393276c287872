// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spindle market}: reads its options, and leaves the rest to {@link MarketFeed}. */
@Command(
        name = "market",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Shows prices that come faster than they can be shown, with a Coalescer.",
        footer = {
            "",
            "Exit status: 0 when the last price of each instrument was shown and none after a later one; 1 when not;"
                    + " 2 for a wrong option."
        })
final class MarketCommand implements Callable<Integer> {
    @Option(
            names = "--instruments",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many there are. Default: ${DEFAULT-VALUE}.")
    private int instruments;

    @Option(
            names = "--feeds",
            paramLabel = "N",
            defaultValue = "2",
            description = "Threads that send prices. Default: ${DEFAULT-VALUE}.")
    private int feeds;

    @Option(
            names = "--quotes",
            paramLabel = "N",
            defaultValue = "2000000",
            description = "Prices that each of them sends. Default: ${DEFAULT-VALUE}.")
    private int quotes;

    @Option(
            names = "--work",
            paramLabel = "N",
            defaultValue = "500",
            description = "Atomic increments that the screen does for a price. Default: ${DEFAULT-VALUE}.")
    private int work;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        requireAtLeast(1, "--instruments", instruments);
        requireAtLeast(1, "--feeds", feeds);
        requireAtLeast(0, "--quotes", quotes);
        requireAtLeast(0, "--work", work);
        long begin = System.nanoTime();
        MarketFeed.Result result = new MarketFeed(instruments, feeds, quotes, work).run();
        double seconds = (System.nanoTime() - begin) / 1e9;
        PrintWriter out = spec().commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%,d prices of %,d instruments in %.2f s: %,d shown, %,d superseded by later ones.%n",
                result.offered(),
                instruments,
                seconds,
                result.shown(),
                result.superseded());
        out.println(
                result.isSound()
                        ? "PASSED: every instrument shows its last price, and none went back."
                        : "FAILED: " + result);
        out.flush();
        return result.isSound() ? 0 : 1;
    }

    private void requireAtLeast(int least, String option, int value) {
        if (value < least) {
            throw new ParameterException(
                    spec().commandLine(), option + " must be at least " + least + ", was " + value);
        }
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec, "run this through picocli's CommandLine");
    }
}
