// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ExampleCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String line) {
        return new CommandLine(new ExampleCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(line.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"log --logs 20 --entries 200", "log --logs 20 --entries 200 --shared --strands 3"})
    void log_short_commitsEverythingInOrder(String line) {
        assertThat(execute(line)).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("4,000 entries in 20 logs of three replicas")
                .contains("PASSED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3"})
    void orders_short_tradesAsOneThreadDoes(String threads) {
        assertThat(execute("orders --orders 20000 --threads " + threads))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("20,000 orders").contains("refused").contains("PASSED");
    }

    @Test
    void market_short_showsTheLastPriceOfEach() {
        assertThat(execute("market --quotes 10000 --instruments 20"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("20,000 prices of 20 instruments").contains("PASSED");
    }

    @Test
    void example_wrongOption_exitsTwoAndNamesIt() {
        assertThat(execute("log --logs 0")).isEqualTo(2);
        assertThat(err.toString()).contains("--logs must be at least 1, was 0");
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
