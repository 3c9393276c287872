// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.commands.ConsoleCommand;
import dev.spindle.examples.bank.BankCommand;
import dev.spindle.examples.crawler.CrawlerCommand;
import dev.spindle.examples.log.LogCommand;
import dev.spindle.examples.market.MarketCommand;
import dev.spindle.examples.orders.OrdersCommand;
import dev.spindle.examples.philosophers.PhilosophersCommand;
import dev.spindle.examples.workers.WorkersCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code spindle example}, which lists the example programs and runs them. */
@Command(
        name = "example",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        header = "Small programs in the style of real ones.",
        synopsisSubcommandLabel = "[COMMAND]",
        description = {"", "Each prints what it does, and checks it at the end. Without a command they are listed."},
        subcommands = {
            LogCommand.class,
            OrdersCommand.class,
            MarketCommand.class,
            BankCommand.class,
            WorkersCommand.class,
            PhilosophersCommand.class,
            CrawlerCommand.class
        })
final class ExampleCommand extends ConsoleCommand {
    @Override
    protected int run() {
        PrintWriter out = out();
        out.println("Small programs in the style of real ones. To run one: ./spindle example NAME");
        out.println();
        programs().forEach((name, program) -> out.printf("  %-13s %s%n", name, sentence(program)));
        out.flush();
        return 0;
    }

    private static String sentence(CommandLine program) {
        return String.join(" ", program.getCommandSpec().usageMessage().header());
    }
}
