// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResultTableTest {

    private static final String NAME = "virtual threads and locks";

    @Test
    void row_largeFigures_fitsBelowItsHeadings() {
        Figures figures =
                new Figures(3_000, 2_999, 0, 123_450_000_000L, 1_024, 9_999_999, 12_345_000_000L, 99_999, 9_999);

        assertThat(ResultTable.row(NAME, figures))
                .isEqualTo("virtual threads and locks  99 % 123.45   1,024 9,999,999   12,345  99,999  9,999")
                .hasSizeLessThanOrEqualTo(ResultTable.WIDTH);
        assertThat(ResultTable.firstHeading()).hasSameSizeAs(ResultTable.row(NAME, figures));
        assertThat(ResultTable.secondHeading()).hasSameSizeAs(ResultTable.row(NAME, figures));
    }

    @Test
    void row_fewMillisecondsAndUnknownSwitches_areReadable() {
        Figures figures = new Figures(0, 0, 0, 1, 1, ContextSwitches.UNKNOWN, 1_260_000, 0, 0);

        assertThat(ResultTable.row("one thread", figures)).contains("100 %", " n/a ", " 1.3 ");
    }

    @Test
    void wrapped_longText_breaksBetweenWordsAndKeepsBlanks() {
        assertThat(ResultTable.wrapped("  a   " + "word ".repeat(20) + "end", "    ")
                        .lines())
                .containsExactly("  a   " + "word ".repeat(14) + "word", "    " + "word ".repeat(5) + "end");
    }
}
