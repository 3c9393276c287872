// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.handovers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(60)
class HandoversCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new HandoversCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void tasks_reportEveryEntrance() {
        int exit = run("--tasks", "5000", "--seed", "7");

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("5,000 hand-overs to a pool of 2 workers, seed 7.")
                .contains("| plain |", "| key |", "| strand |", "| logical executor |", "| timer of 0 ms |")
                .contains("All 5,000 started, ", "wake-ups", "hand-overs per second")
                .doesNotContain("BROKEN");
        assertThat(exit).isZero();
    }

    @ParameterizedTest
    @CsvSource({"--tasks, 0", "--tasks, -1", "--seed, x"})
    void wrongOption_isAUsageErrorThatNamesIt(String option, String value) {
        assertThat(run(option, value)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(option).contains(value);
    }

    @Test
    void help_namesTheOptions() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("--tasks", "--seed", "Exit status:");
    }
}
