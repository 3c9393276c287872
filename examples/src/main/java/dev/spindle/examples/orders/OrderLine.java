// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.orders;

import dev.spindle.Spindle;
import dev.spindle.pipeline.ErrorPolicy;
import dev.spindle.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;

/**
 * An exchange as a pipeline of four stages.
 *
 * <pre>
 *  orders -> journal -> match -> publish
 *        `-> risk    -'
 * </pre>
 *
 * The stage {@code match} handles an order after the stages {@code journal} and {@code risk}. The later stages skip a
 * refused order.
 */
final class OrderLine implements AutoCloseable {
    /** The maximum worth of an order; the risk check refuses an order above the maximum. */
    static final long MOST = 900_000;

    private final Pipeline<Slot> line;
    private final OrderBook book = new OrderBook();
    private final List<Long> journal = new ArrayList<>();
    private final List<OrderBook.Trade> published = new ArrayList<>();
    private int flushes;
    private int refused;

    /** The event in a slot of the pipeline. */
    private static final class Slot {
        long number;
        boolean buys;
        int price;
        int quantity;
        List<OrderBook.Trade> trades = List.of();
    }

    record Order(long number, boolean buys, int price, int quantity) {
        long worth() {
            return (long) price * quantity;
        }
    }

    /** Thrown by the risk check to refuse an order. */
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(long number, long worth) {
            super("order " + number + " is worth " + worth + ", more than " + MOST);
        }
    }

    OrderLine(Spindle spindle, int slots) {
        line = Pipeline.builder(spindle, "orders", Slot::new)
                .capacity(slots)
                .stage("journal", this::write)
                .stage("risk", this::check)
                .afterPublish()
                .errorPolicy(ErrorPolicy.skip())
                .stage("match", slot -> slot.trades = book.place(slot.number, slot.buys, slot.price, slot.quantity))
                .after("journal", "risk")
                .stage("publish", slot -> published.addAll(slot.trades))
                .after("match")
                .clear(slot -> slot.trades = List.of())
                .build();
    }

    /** Publishes an order; blocks while the pipeline is full. */
    void place(Order order) throws InterruptedException {
        line.publish(
                (slot, from) -> {
                    slot.number = from.number();
                    slot.buys = from.buys();
                    slot.price = from.price();
                    slot.quantity = from.quantity();
                },
                order);
    }

    private void write(Slot slot, long sequence, boolean endOfBatch) {
        journal.add(slot.number);
        if (endOfBatch) {
            flushes++; // one flush per batch of orders
        }
    }

    private void check(Slot slot) throws RefusedException {
        long worth = (long) slot.price * slot.quantity;
        if (worth > MOST) {
            refused++;
            throw new RefusedException(slot.number, worth);
        }
    }

    /** Closes the pipeline, and waits until every order has passed all stages. */
    @Override
    public void close() {
        line.close();
    }

    /** Returns the numbers of all orders in journal order, after {@link #close} has returned. */
    List<Long> journal() {
        return journal;
    }

    List<OrderBook.Trade> published() {
        return published;
    }

    int flushes() {
        return flushes;
    }

    int refused() {
        return refused;
    }
}
