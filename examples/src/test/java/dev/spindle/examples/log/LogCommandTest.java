// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LogCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String options) {
        return new CommandLine(new LogCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(options.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--logs 20 --entries 200", "--logs 20 --entries 200 --shared --strands 3"})
    void run_short_commitsEverythingInOrder(String options) {
        assertThat(execute(options)).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("4,000 entries in 20 logs of three replicas")
                .contains("PASSED");
    }

    @Test
    void run_wrongOption_exitsTwoAndNamesIt() {
        assertThat(execute("--logs 0")).isEqualTo(2);
        assertThat(err.toString()).contains("Invalid value for option '--logs': 0 is not from 1 to 100000");
    }
}
