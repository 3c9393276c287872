// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.spindle.benchmarks.Main;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.gateway.drive.H2load;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class GatewayComparisonTest {
    private final Comparison comparison = GatewayComparison.comparison();

    /** Each kind of subject. */
    @Tag("deep")
    @Tag("once")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"overload | spindle | 1", "hot-300 | spindle,tomcat | 2", "breakdown | netty | 1"})
    void quick_runsForks(String cells, String contenders, int forks) {
        assumeThat(H2load.missing()).as("h2load is missing").isFalse();
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();

        int status = Main.commandLine(List.of(comparison))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("bench", "gateway", "--quick", "--cells", cells, "--contenders", contenders);

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("[" + forks + "/" + forks + "] round 1")
                .doesNotContain("VIOLATIONS", "Forks without a figure");
        assertThat(status).isZero();
    }
}
