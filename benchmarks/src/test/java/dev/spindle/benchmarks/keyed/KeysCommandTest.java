// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.report.Verdict.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class KeysCommandTest {
    @Tag("deep")
    @Tag("once")
    @Test
    void quick_runsEveryMeasurementOnce() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();

        int exit = new CommandLine(new KeysCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute("--quick");

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("An idle key takes so many bytes of heap, of 10,000")
                .contains("100,000 tasks ran");
        assertThat(exit).isZero();
    }

    @Test
    void flat_sameHeapToTheEnd_isReached() {
        assertThat(KeysCommand.flat(List.of(5.0, 9.0, 9.1, 9.0, 9.2)).outcome()).isEqualTo(Outcome.REACHED);
    }

    @Test
    void flat_growingHeap_isNotReached() {
        assertThat(KeysCommand.flat(List.of(5.0, 9.0, 9.5, 9.8, 10.1)).outcome())
                .isEqualTo(Outcome.NOT_REACHED);
    }

    @Test
    void flat_runThatDied_isNotMeasured() {
        assertThat(KeysCommand.flat(List.of(5.0, 9.0)).outcome()).isEqualTo(Outcome.NOT_MEASURED);
    }
}
