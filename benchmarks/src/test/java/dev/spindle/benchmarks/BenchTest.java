// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void bench_help_namesTheComparisons() {
        assertThat(execute("bench", "--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "gatling",
                        "keys",
                        "start",
                        "pool",
                        "elastic",
                        "dedicated",
                        "coalesce",
                        "serial",
                        "pipeline",
                        "models",
                        "native",
                        "gateway");
    }

    @Tag("deep")
    @Tag("once")
    @Test
    void start_oneRound_showsAllThatStarted() {
        assertThat(execute("bench", "start", "--rounds", "1")).isZero();
        assertThat(out.toString())
                .contains(
                        "| Spindle, a keyed task | ", "| ThreadPoolExecutor | ", "| ForkJoinPool | ", "1 of 5 rounds");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void start_noRounds_exitsTwo() {
        assertThat(execute("bench", "start", "--rounds", "0")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bench", "nonsense"})
    void main_noOrUnknownCommand_exitsTwoAndSaysWhereTheHelpIs(String command) {
        assertThat(execute(command)).isEqualTo(2);
        assertThat(err.toString()).contains("Try: spindle").doesNotContain("Usage:");
    }

    private int execute(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }
}
