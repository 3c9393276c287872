// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DedicatedCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new DedicatedCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void shortRun_measuresEveryArrangement() {
        int exit = run("--rounds", "1", "--tasks", "50");

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).contains("| park |", "| spin |", "| park, pinned |", "| spin, pinned |");
        assertThat(exit).isZero();
    }

    @Test
    void noRounds_isAUsageError() {
        assertThat(run("--rounds", "0")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--rounds and --tasks must be at least 1, are 0 and 4000");
    }
}
