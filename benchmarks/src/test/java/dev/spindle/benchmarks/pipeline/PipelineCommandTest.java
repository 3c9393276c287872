// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(120)
class PipelineCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void quick_twoCells_runsForks() {
        int exit = run("--quick", "--cells", "chain-3,pi", "--contenders", "spindle,disruptor-yielding");

        assertThat(err.toString()).isEmpty();
        assertThat(exit).isZero();
        assertThat(out.toString())
                .contains("4 forks")
                .contains("| Spindle pipeline, one publisher |")
                .contains("| Disruptor, yielding |");
    }

    @Test
    void list_namesCellsAndContenders() {
        assertThat(run("--list")).isZero();

        assertThat(out.toString()).contains("unicast-8192", "idle-8", "paced-3", "pi", "Conversant", "Pekko");
    }

    private int run(String... arguments) {
        return new CommandLine(new PipelineCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
