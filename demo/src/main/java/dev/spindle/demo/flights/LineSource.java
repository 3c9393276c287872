// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream into lines, and delivers every complete line before a fault of the stream.
 *
 * <p>A {@code BufferedReader} over a decoder loses the text decoded in the call in which the stream breaks, up to a
 * hundred rows. This class reports a fault only after all complete lines before it, and does not deliver the line that
 * it cuts.
 */
final class LineSource {

    /**
     * The length at which a line is cut. Rows of the format are much shorter, and a binary file must not fill the
     * memory.
     */
    static final int LONGEST_LINE = 4096;

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private final byte[] line = new byte[LONGEST_LINE];
    private int position;
    private int limit;
    private int lines;

    LineSource(InputStream in) {
        this.in = in;
    }

    /** Returns the number of lines delivered so far, which is the number of the last one. */
    int lineNumber() {
        return lines;
    }

    /** Returns the next line without its line break, or null at the end. The last line needs no line break. */
    @Nullable
    String next() throws IOException {
        int length = 0;
        boolean any = false;
        while (position < limit || fill()) {
            byte b = buffer[position++];
            any = true;
            if (b == '\n') {
                return deliver(length);
            }
            if (length < LONGEST_LINE) {
                line[length++] = b;
            }
        }
        return any ? deliver(length) : null;
    }

    private String deliver(int length) {
        lines++;
        int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        return new String(line, 0, end, StandardCharsets.UTF_8);
    }

    private boolean fill() throws IOException {
        limit = 0;
        position = 0;
        limit = Math.max(0, in.read(buffer));
        return limit > 0;
    }
}
