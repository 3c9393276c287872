// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.examples.bank.BankCommand;
import dev.spindle.examples.crawler.CrawlerCommand;
import dev.spindle.examples.log.LogCommand;
import dev.spindle.examples.market.MarketCommand;
import dev.spindle.examples.orders.OrdersCommand;
import dev.spindle.examples.philosophers.PhilosophersCommand;
import dev.spindle.examples.workers.WorkersCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Each example prints what it does while it does it, then its summary and the result of its check. */
@Timeout(60)
class StepsOfExamplesTest {
    private static Stream<Arguments> examples() {
        return Stream.of(
                Arguments.of(new BankCommand(), "--transfers 100 --accounts 10"),
                Arguments.of(new CrawlerCommand(), "--pages 200"),
                Arguments.of(new LogCommand(), "--logs 3 --entries 100"),
                Arguments.of(new LogCommand(), "--logs 3 --entries 100 --shared"),
                Arguments.of(new MarketCommand(), "--quotes 1000"),
                Arguments.of(new OrdersCommand(), "--orders 1000"),
                Arguments.of(new PhilosophersCommand(), "--meals 10"),
                Arguments.of(new WorkersCommand(), "--jobs 100"));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void example_run_printsItsStepsBeforeTheResult(Example example, String options) {
        StringWriter out = new StringWriter();

        int status = new CommandLine(example).setOut(new PrintWriter(out)).execute(options.split(" "));
        List<String> lines = out.toString().lines().toList();

        assertThat(status).isZero();
        assertThat(lines.subList(0, lines.size() - 2))
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(line -> line.matches("- [A-Z0-9].*[.:]"));
        assertThat(lines).last().asString().startsWith("PASSED: ");
    }
}
