// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(60)
class SoakCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new SoakCommand().roundsOf(Duration.ofMillis(200)))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void handovers_alone_reportEveryEntrance() {
        int exit = run("--handovers", "5000", "--seed", "7");

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("5,000 hand-overs to a pool of 2 workers, seed 7.")
                .contains("| plain |", "| key |", "| strand |", "| logical executor |", "| timer of 0 ms |")
                .contains("All 5,000 started, ", "wake-ups", "parks", "searches", "hand-overs per second")
                .doesNotContain("Rounds", "BROKEN");
        assertThat(exit).isZero();
    }

    @Test
    void minutes_alone_runOneRoundAtLeastFromTheSeed() {
        int exit = run("--minutes", "0", "--seed", "7");

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("first seed 7", "[1, ", "] seed 7: core ", "All 1 rounds kept every promise.")
                .doesNotContain("hand-overs", "[2, ");
        assertThat(exit).isZero();
    }

    @ParameterizedTest
    @CsvSource({"--handovers, 0", "--minutes, -1", "--minutes, NaN", "--seed, x"})
    void wrongOption_isAUsageErrorThatNamesIt(String option, String value) {
        assertThat(run(option, value)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(option).contains(value);
    }

    @Test
    void help_namesTheOptions() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("--handovers", "--minutes", "--seed", "Exit status:");
    }
}
