// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class OrdersCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String options) {
        return new CommandLine(new OrdersCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3"})
    void run_short_tradesAsOneThreadDoes(String threads) {
        assertThat(execute("--orders 20000 --threads " + threads))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("20,000 orders").contains("refused").contains("PASSED");
    }

    @Test
    void orderBook_bestPriceFirstAndOfOnePriceTheEarliest() {
        OrderBook book = new OrderBook();
        assertThat(book.place(1, false, 101, 5)).isEmpty();
        assertThat(book.place(2, false, 100, 5)).isEmpty();
        assertThat(book.place(3, false, 100, 5)).isEmpty();
        assertThat(book.place(4, true, 99, 5)).isEmpty();
        assertThat(book.place(5, true, 101, 12))
                .isEqualTo(List.of(
                        new OrderBook.Trade(5, 2, 100, 5),
                        new OrderBook.Trade(5, 3, 100, 5),
                        new OrderBook.Trade(5, 1, 101, 2)));
        assertThat(book.place(6, false, 99, 1)).isEqualTo(List.of(new OrderBook.Trade(6, 4, 99, 1)));
    }
}
