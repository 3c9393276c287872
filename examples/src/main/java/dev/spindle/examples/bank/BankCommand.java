// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.bank;

import dev.spindle.commands.Range;
import dev.spindle.examples.Example;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code spindle example bank}, which runs {@link Bank}. */
@Command(
        name = "bank",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Moves money between accounts that are actors with small mailboxes.",
        footer = {"", "Exit status: 0 when no cent was lost and every transfer ended; 1 when not."})
public final class BankCommand extends Example {
    @Option(
            names = "--accounts",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many there are. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1_000_000)
    private int accounts;

    @Option(
            names = "--tellers",
            paramLabel = "N",
            defaultValue = "4",
            description = "Threads that order transfers. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1024)
    private int tellers;

    @Option(
            names = "--transfers",
            paramLabel = "N",
            defaultValue = "250000",
            description = "Transfers that each of them orders. Default: ${DEFAULT-VALUE}.")
    @Range(least = 0, most = 1_000_000_000)
    private int transfers;

    @Option(
            names = "--capacity",
            paramLabel = "N",
            defaultValue = "8",
            description = "Messages that may wait for an account. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1_000_000)
    private int capacity;

    /** Runs this example as a program of its own. */
    public static void main(String[] arguments) {
        start(new BankCommand(), arguments);
    }

    @Override
    protected Outcome act() throws InterruptedException {
        Bank.Result result = new Bank(accounts, tellers, transfers, capacity).run(this::step);
        return new Outcome(
                String.format(
                        Locale.ROOT,
                        "%,d transfers paid, %,d refused, %,d messages let in past full mailboxes",
                        result.paid(),
                        result.refused(),
                        result.overdrafts()),
                "no cent was lost.",
                result.isSound((long) tellers * transfers) ? null : result.toString());
    }
}
