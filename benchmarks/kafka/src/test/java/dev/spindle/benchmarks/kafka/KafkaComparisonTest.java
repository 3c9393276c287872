// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class KafkaComparisonTest {
    /** Each contender, in the cells with 1,000 keys. */
    @Tag("long")
    @Test
    void quick_runsForks() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();

        int status = Main.commandLine(List.of(KafkaComparison.comparison()))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("bench", "kafka", "--quick", "--cells", "noop-1000,2ms-1000");

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).contains("[8/8] round 1").doesNotContain("VIOLATIONS", "Forks without a figure");
        assertThat(status).as(out.toString()).isZero();
    }
}
