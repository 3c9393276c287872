// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.orders;

import dev.spindle.Spindle;
import dev.spindle.commands.Range;
import dev.spindle.examples.Example;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code spindle example orders}, which runs {@link OrderLine}. */
@Command(
        name = "orders",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "An exchange as a pipeline of four stages, checked against one thread that does the same.",
        footer = {"", "Exit status: 0 when the trades are those of the one thread; 1 when not."})
public final class OrdersCommand extends Example {
    @Option(
            names = "--orders",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "How many orders. Default: ${DEFAULT-VALUE}.")
    @Range(least = 0, most = 10_000_000)
    private int orders;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "2",
            description = "Threads of the spindle; one is enough for all stages. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1024)
    private int threads;

    @Option(names = "--seed", paramLabel = "SEED", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private long seed;

    /** Runs this example as a program of its own. */
    public static void main(String[] arguments) {
        start(new OrdersCommand(), arguments);
    }

    @Override
    protected Outcome act() throws InterruptedException {
        List<OrderLine.Order> all = orders();
        OrderLine line;
        try (Spindle spindle = Spindle.builder()
                .name("exchange")
                .coreThreads(threads)
                .onFailure((activity, failure) -> {}) // the pipeline counts refused orders
                .build()) {
            line = new OrderLine(spindle, 8_192);
            step("A pipeline has four stages: journal and risk at the same time, match after both, then publish.");
            step("%,d orders are placed, over a ring of %,d slots; a full ring makes the caller wait.", orders, 8_192);
            for (OrderLine.Order order : all) {
                line.place(order);
            }
            step("All are placed; close() waits until the last has passed all stages.");
            line.close();
        }
        step(
                "The risk check refused %,d orders worth more than %,d, which later stages skipped.",
                line.refused(), OrderLine.MOST);
        step("The journal was flushed once per batch: %,d times for %,d orders.", line.flushes(), orders);
        step("One thread now does the same without a pipeline, to compare.");
        return new Outcome(
                String.format(
                        Locale.ROOT,
                        "%,d orders, %,d refused, %,d trades, %,d flushes of the journal",
                        orders,
                        line.refused(),
                        line.published().size(),
                        line.flushes()),
                "the journal is complete, and the trades are those of one thread without a pipeline.",
                fault(all, line));
    }

    private List<OrderLine.Order> orders() {
        SplittableRandom random = new SplittableRandom(seed);
        List<OrderLine.Order> all = new ArrayList<>();
        for (int number = 0; number < orders; number++) {
            all.add(new OrderLine.Order(
                    number, random.nextBoolean(), 10_000 + random.nextInt(-200, 200), random.nextInt(1, 100)));
        }
        return all;
    }

    private static @Nullable String fault(List<OrderLine.Order> all, OrderLine line) {
        List<Long> numbers = LongStream.range(0, all.size()).boxed().toList();
        if (!line.journal().equals(numbers)) {
            return "the journal has " + line.journal().size() + " orders, or another order of them";
        }
        OrderBook book = new OrderBook();
        List<OrderBook.Trade> trades = new ArrayList<>();
        for (OrderLine.Order order : all) {
            if (order.worth() <= OrderLine.MOST) {
                trades.addAll(book.place(order.number(), order.buys(), order.price(), order.quantity()));
            }
        }
        return line.published().equals(trades)
                ? null
                : line.published().size() + " trades, other than the " + trades.size() + " of one thread";
    }
}
