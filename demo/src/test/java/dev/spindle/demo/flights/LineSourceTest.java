// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineSourceTest {

    @Test
    void next_mixedLineBreaks_areLeftOut() throws IOException {
        assertThat(lines(of("a\nb\r\n\nlast"))).containsExactly("a", "b", "", "last");
    }

    @Test
    void next_breakAtTheEnd_makesNoFurtherLine() throws IOException {
        assertThat(lines(of("a\n"))).containsExactly("a");
    }

    @Test
    void next_emptyStream_hasNoLine() throws IOException {
        assertThat(lines(of(""))).isEmpty();
    }

    @Test
    void next_faultInAStream_comesAfterAllCompleteLines() throws IOException {
        LineSource source = new LineSource(new SequenceInputStream(of("a\nb\npart"), new Broken()));

        assertThat(source.next()).isEqualTo("a");
        assertThat(source.next()).isEqualTo("b");
        assertThatThrownBy(source::next).isInstanceOf(IOException.class).hasMessage("broken");
        assertThat(source.lineNumber()).isEqualTo(2);
    }

    @Test
    void next_endlessLine_isCut() throws IOException {
        List<String> lines = lines(of("x".repeat(3 * LineSource.LONGEST_LINE) + "\nnext\n"));

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).hasSize(LineSource.LONGEST_LINE);
        assertThat(lines.get(1)).isEqualTo("next");
    }

    private static InputStream of(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> lines(InputStream in) throws IOException {
        LineSource source = new LineSource(in);
        List<String> lines = new ArrayList<>();
        for (String line = source.next(); line != null; line = source.next()) {
            lines.add(line);
        }
        assertThat(source.lineNumber()).isEqualTo(lines.size());
        return lines;
    }

    private static final class Broken extends InputStream {

        @Override
        public int read() throws IOException {
            return read(new byte[1], 0, 1);
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            throw new IOException("broken");
        }
    }
}
