// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream into lines, and returns every complete line before an error of the stream.
 *
 * <p>If a stream fails, a {@code BufferedReader} loses the text of the failing read, which may be a hundred rows. This
 * class reports the error after it has returned all complete lines. An incomplete line is not returned.
 */
final class LineSource {

    /**
     * The length at which a line is truncated, in bytes. Valid rows are much shorter. The limit bounds the memory that
     * a binary file uses.
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

    /** Returns the number of the last line that was returned, or 0 before the first. */
    int lineNumber() {
        return lines;
    }

    /**
     * Returns the next line without its line break, or null at the end of the stream. The last line need not end with a
     * line break.
     */
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
