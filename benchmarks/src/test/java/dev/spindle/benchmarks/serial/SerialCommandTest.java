// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(120)
class SerialCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void quick_oneCell_runsForksWithTheFlagsThatAgronaNeeds() {
        int exit = run("--quick", "--cells", "p32", "--contenders", "limit,spindle,agrona");

        assertThat(err.toString()).isEmpty();
        assertThat(exit).isZero();
        assertThat(out.toString())
                .contains("3 forks")
                .contains("| Spindle, strands of a pool of 2 workers |")
                .contains("| Agrona many-to-one ring, a thread that spins |");
    }

    @Test
    void list_namesCellsAndContenders() {
        assertThat(run("--list")).isZero();

        assertThat(out.toString()).contains("ping-pong", "ring-64", "wakeups", "SOFAJRaft", "Pekko");
    }

    private int run(String... arguments) {
        return new CommandLine(new SerialCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
