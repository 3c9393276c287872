// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.examples.bank.BankCommand;
import dev.spindle.examples.crawler.CrawlerCommand;
import dev.spindle.examples.log.LogCommand;
import dev.spindle.examples.market.MarketCommand;
import dev.spindle.examples.orders.OrdersCommand;
import dev.spindle.examples.philosophers.PhilosophersCommand;
import dev.spindle.examples.workers.WorkersCommand;
import picocli.CommandLine.Command;

/** The command {@code spindle example}, which runs the example programs. */
@Command(
        name = "example",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        header = "Small programs in the style of real ones.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            LogCommand.class,
            OrdersCommand.class,
            MarketCommand.class,
            BankCommand.class,
            WorkersCommand.class,
            PhilosophersCommand.class,
            CrawlerCommand.class
        })
final class ExampleCommand {}
