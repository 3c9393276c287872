// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RawFileTest {
    private static final RawFile.Row GOOD = new RawFile.Row(1, "cell", "one", "", Map.of("ms", "1.5"));

    @Test
    void parse_whatHeadAndLineWrote_isTheSame() {
        RawFile.Row failed = new RawFile.Row(2, "cell", "two", "exit code 1: a, 'b'", Map.of());
        RawFile.Row other = new RawFile.Row(3, "cell", "one", "", Map.of("us", "2"));

        List<String> columns = List.of("ms", "us");
        String text = RawFile.head(columns)
                + RawFile.line(GOOD, columns)
                + RawFile.line(failed, columns)
                + RawFile.line(other, columns);

        assertThat(text).startsWith("round,cell,contender,problem,ms,us\n1,cell,one,\"\",1.5,\n");
        assertThat(RawFile.parse(text.lines().toList())).containsExactly(GOOD, failed, other);
    }

    @Test
    void parse_nothing_isEmpty() {
        assertThat(RawFile.parse(List.of())).isEmpty();
    }

    @Test
    void parse_otherFile_namesItsFirstLine() {
        assertThatThrownBy(() -> RawFile.parse(List.of("a,b"))).hasMessageContaining("is 'a,b'");
    }

    @Test
    void parse_shortLine_isNamed() {
        List<String> lines = List.of("round,cell,contender,problem,ms", "1,cell,one,\"\"");

        assertThatThrownBy(() -> RawFile.parse(lines)).hasMessage("1 figures expected in the line '1,cell,one,\"\"'");
    }
}
