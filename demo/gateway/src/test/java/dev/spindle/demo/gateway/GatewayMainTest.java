// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code spindle gateway} and {@code spindle gateway echo}, as a person types them. */
class GatewayMainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = GatewayMain.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void check_ofTheBuiltInFile_isRight() {
        assertThat(run("gateway", "--check")).isZero();
        assertThat(out.toString()).contains("the built-in file is right: 7 backends, 4 routes");
    }

    @Test
    void help_ofTheGateway_namesItsOptionsTheEchoServersAndTheBuiltInRoutes() {
        assertThat(run("gateway", "--help")).isZero();
        assertThat(out.toString())
                .contains("Answers each HTTP request", "--routes=FILE", "--check", "--[no-]watch", "echo")
                .contains("spindle gateway                                seven echo servers");
    }

    @Test
    void help_ofEcho_namesItsOptionsAndTheirRanges() {
        assertThat(run("gateway", "echo", "--help")).isZero();
        assertThat(out.toString())
                .contains("spindle gateway echo", "--ports", "--delay", "--jitter", "--size", "--admin")
                .contains("Takes numbers from 0 to 100.");
    }

    @ParameterizedTest
    @CsvSource({
        "--ports, 9007-9001, no range of ports",
        "--delay, 100, no time",
        "--jitter, 101, not from 0 to 100",
        "--admin, 9003, one of --ports"
    })
    void echo_wrongOption_isNamedWithTheRemedy(String option, String value, String expected) {
        assertThat(run("gateway", "echo", option, value)).isEqualTo(2);
        assertThat(err.toString()).contains(option).contains(expected);
    }
}
