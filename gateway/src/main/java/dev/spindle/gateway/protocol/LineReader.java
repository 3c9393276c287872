// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.util.concurrent.FastThreadLocal;

/**
 * The rules for lines of HTTP/1.1: each line ends with CR and LF, which occur nowhere else. A subclass knows which
 * other bytes are permitted in its lines.
 *
 * <p>Confined to the event loop of its connection.
 */
abstract class LineReader {
    /** The bytes being examined, copied to an array of each thread, since an array is read faster than a buffer. */
    private static final FastThreadLocal<byte[]> WINDOW = new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
            return new byte[1 << 10]; // a head of usual size; not measured
        }
    };

    /** True if requests are read, false for answers. */
    final boolean requests;

    final int mostFields;
    /** True if the last byte was a CR, after which only an LF may follow. */
    private boolean afterCr;

    LineReader(boolean requests, int mostFields) {
        this.requests = requests;
        this.mostFields = mostFields;
    }

    static byte[] window() {
        return WINDOW.get();
    }

    /** Returns a mask of the parts of a head, as in {@link HeadRules}, in which the next byte must be plain. */
    abstract int plain();

    /**
     * Examines a byte that is neither plain nor CR nor LF.
     *
     * @throws Refusal if the byte is not permitted
     */
    abstract void examine(byte b) throws Refusal;

    /** Returns the index of the next byte that is not plain. */
    final int skipPlain(byte[] window, int from, int to) {
        int plain = afterCr ? 0 : plain();
        int i = from;
        while (i < to && HeadRules.isPlain(window[i], plain)) {
            i++;
        }
        return i;
    }

    /**
     * Examines a byte that is not plain.
     *
     * @return whether the byte ends a line
     */
    final boolean endsLine(byte b) throws Refusal {
        if (afterCr) {
            if (b != '\n') {
                throw refusal("a CR without LF");
            }
            afterCr = false;
            return true;
        }
        if (b == '\n') {
            throw refusal("an LF without CR"); // H2
        }
        if (b == '\r') {
            afterCr = true;
        } else {
            examine(b);
        }
        return false;
    }

    /** Returns the number of bytes of the end of a line that were examined while its last byte was not. */
    final int partOfEnd() {
        return afterCr ? 1 : 0;
    }

    /**
     * Examines the byte that ends the name of a field.
     *
     * @param length the number of bytes of the name
     */
    final void examineColon(byte b, int length) throws Refusal {
        if (b != ':') {
            throw refusal("a folded line, or a character that belongs in no name");
        }
        if (length == 0) {
            throw refusal("a field without a name");
        }
    }

    /** Checks the number of fields. */
    final void checkFields(int fields) throws Refusal {
        if (fields > mostFields) {
            throw new Refusal(431, "more than " + mostFields + " fields"); // H4
        }
    }

    final Refusal refusal(String reason) {
        return new Refusal(requests ? 400 : 502, reason);
    }
}
