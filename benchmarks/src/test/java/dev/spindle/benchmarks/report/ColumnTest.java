// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnTest {
    @Test
    void range_severalRounds_isTheMedianBetweenItsEnds() {
        assertThat(Column.range(List.of(3.0, 1234.4, 20.0))).isEqualTo("20.0 [3.00 to 1,234]");
        assertThat(Column.range(List.of())).isEqualTo("-");
    }

    @Test
    void number_smallOnes_keepDigitsThatMeanSomething() {
        assertThat(Column.number(0)).isEqualTo("0.00");
        assertThat(Column.number(0.0004)).isEqualTo("0.0004");
        assertThat(Column.number(-12.34)).isEqualTo("-12.3");
    }

    @Test
    void foreign_roundsThatOthersDisturbed_areCountedBehindTheMedian() {
        assertThat(Column.foreign(List.of(1.0, 2.0, 50.0))).isEqualTo("2.00 (1 of 3 rounds)");
        assertThat(Column.foreign(List.of(1.0, 2.0, 3.0))).isEqualTo("2.00");
        assertThat(Column.foreign(List.of())).isEqualTo("-");
    }

    @Test
    void failures_none_areNotMentioned() {
        assertThat(Column.failures(List.of())).isEmpty();
        assertThat(Column.failures(List.of("round 1, jdk: stalled"))).endsWith("\n\n- round 1, jdk: stalled\n");
    }
}
