// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.orders;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The buy and sell orders of one product, sorted by best price and then by time. This class is not thread-safe. */
final class OrderBook {
    /** An order in the book. */
    private static final class Resting {
        final long number;
        int left;

        Resting(long number, int left) {
            this.number = number;
            this.left = left;
        }
    }

    /** A match between parts of two orders. */
    record Trade(long order, long resting, int price, int quantity) {}

    private final NavigableMap<Integer, Deque<Resting>> buyers = new TreeMap<>();
    private final NavigableMap<Integer, Deque<Resting>> sellers = new TreeMap<>();

    /** Matches an order with those in the book, and adds the unmatched quantity to the book. */
    List<Trade> place(long number, boolean buys, int price, int quantity) {
        List<Trade> trades = new ArrayList<>();
        NavigableMap<Integer, Deque<Resting>> others = buys ? sellers : buyers.descendingMap();
        int left = quantity;
        for (Map.Entry<Integer, Deque<Resting>> level = others.firstEntry();
                left > 0 && level != null;
                level = others.firstEntry()) {
            int best = level.getKey();
            if (buys ? best > price : best < price) {
                break;
            }
            Deque<Resting> queue = level.getValue();
            Resting first = queue.element();
            int part = Math.min(left, first.left);
            trades.add(new Trade(number, first.number, best, part));
            left -= part;
            first.left -= part;
            if (first.left == 0) {
                queue.remove();
            }
            if (queue.isEmpty()) {
                others.remove(best);
            }
        }
        if (left > 0) {
            (buys ? buyers : sellers)
                    .computeIfAbsent(price, none -> new ArrayDeque<>())
                    .add(new Resting(number, left));
        }
        return trades;
    }
}
