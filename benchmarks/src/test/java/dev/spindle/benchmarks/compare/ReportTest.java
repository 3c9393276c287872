// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final Results results = new Results(List.of(
            Samples.time(1, Samples.LIMIT, 5),
            Samples.time(1, Samples.OURS, 10),
            Samples.time(2, Samples.OURS, 14),
            Samples.time(1, Samples.FAST, 20),
            Samples.result(2, Samples.FAST, Map.of(Samples.TIME, 28.0, Figure.FOREIGN, 40.0)),
            Samples.time(1, Samples.SLOW, 80),
            Samples.failed(2, Samples.SLOW)));

    @Test
    void markdown_showsMediansSpreadAndTheBestPeer() {
        assertThat(new Report(Samples.comparison(), results, true).markdown())
                .contains("| Spindle | 12.0 [10.0 to 14.0] | - | - | 2.00 | 2.00 |")
                .contains("| a fast peer | 24.0 [20.0 to 28.0]", "(1 of 1 rounds)")
                .contains("- round 2, a slow peer: stalled: it hangs")
                .contains("| `plain` | `ours` | ns/op | 12.0 | `fast` | 24.0 | 2.00 |")
                .contains("| G1: ")
                .doesNotContain("a cell with faults", "| G5: ");
    }

    @Test
    void number_hasItsSignificantDigits() {
        assertThat(List.of(0.0, 0.0004, -12.34, 1_234.4).stream().map(Column::number))
                .containsExactly("0.00", "0.0004", "-12.3", "1,234");
        assertThat(Column.range(List.of())).isEqualTo("-");
    }
}
