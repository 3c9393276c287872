// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

/** Thrown for a row that cannot be parsed. The message contains the column, the value and the expected form. */
final class MalformedRowException extends Exception {

    private static final long serialVersionUID = 1L;

    private static final int LONGEST_VALUE = 40;

    MalformedRowException(String message) {
        super(message);
    }

    static MalformedRowException of(String column, String value, String expected) {
        return new MalformedRowException("column " + column + ": " + quoted(value) + " is not " + expected);
    }

    /**
     * Returns the value in quotes. A long value is truncated and control characters are escaped, so that a file cannot
     * send control sequences to a terminal.
     */
    static String quoted(String value) {
        StringBuilder text = new StringBuilder("'");
        int shown = Math.min(value.length(), LONGEST_VALUE);
        for (int i = 0; i < shown; i++) {
            char c = value.charAt(i);
            if (Character.isISOControl(c)) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.append(shown < value.length() ? "...'" : "'").toString();
    }
}
