// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.report;

import java.util.function.Supplier;

/** Makes texts of users, such as keys, fit for one line of a log and for the name of a thread. */
public final class Printable {
    private Printable() {}

    /**
     * Returns {@code text} with at most {@code most} characters, and with a question mark in place of each character
     * that controls a terminal, a line or the direction of writing.
     */
    public static String of(String text, int most) {
        StringBuilder line = null;
        int end = Math.min(text.length(), most);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (isHarmful(c)) {
                line = line == null ? new StringBuilder(text.substring(0, end)) : line;
                line.setCharAt(i, '?');
            }
        }
        String printable = line == null ? text.substring(0, end) : line.toString();
        return end == text.length() ? printable : printable + "...";
    }

    /** Returns {@link #of} the text that {@code name} returns, or, if {@code name} throws, a text that says so. */
    public static String of(Supplier<String> name, int most) {
        String text;
        try {
            text = name.get();
        } catch (Throwable t) { // thrown by toString of a key
            return "a key whose toString threw " + t.getClass().getName();
        }
        return of(String.valueOf(text), most);
    }

    private static boolean isHarmful(char c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
