// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes a JSON text. Used by one thread. The caller is responsible for the nesting. */
final class Json {
    private final StringBuilder out = new StringBuilder(4_096);
    private boolean comma;

    /** Begins an object. */
    Json object() {
        return open('{');
    }

    /** Begins an array. */
    Json array() {
        return open('[');
    }

    private Json open(char bracket) {
        separate();
        out.append(bracket);
        comma = false;
        return this;
    }

    /** Ends an object. */
    Json endObject() {
        return end('}');
    }

    /** Ends an array. */
    Json endArray() {
        return end(']');
    }

    private Json end(char bracket) {
        out.append(bracket);
        comma = true;
        return this;
    }

    /** Writes the name of a member, whose value follows. */
    Json name(String name) {
        separate();
        out.append('"').append(name).append("\":");
        comma = false;
        return this;
    }

    Json value(long value) {
        separate();
        out.append(value);
        comma = true;
        return this;
    }

    /** Writes {@code value} with at most two decimals. */
    Json value(double value) {
        long hundredths = Math.round(value * 100);
        if (hundredths % 100 == 0) {
            return value(hundredths / 100);
        }
        separate();
        out.append(hundredths / 100.0);
        comma = true;
        return this;
    }

    Json value(boolean value) {
        return value(value ? 1 : 0);
    }

    Json value(@Nullable String value) {
        separate();
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        comma = true;
        return this;
    }

    Json member(String name, long value) {
        return name(name).value(value);
    }

    Json member(String name, double value) {
        return name(name).value(value);
    }

    Json member(String name, @Nullable String value) {
        return name(name).value(value);
    }

    private void separate() {
        if (comma) {
            out.append(',');
        }
    }

    private void quote(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == '\u2028' || c == '\u2029' || isLoneSurrogate(value, i)) {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(Character.forDigit(c >> shift & 15, 16));
                }
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static boolean isLoneSurrogate(String value, int at) {
        char c = value.charAt(at);
        if (!Character.isSurrogate(c)) {
            return false;
        }
        boolean paired = Character.isHighSurrogate(c)
                ? at + 1 < value.length() && Character.isLowSurrogate(value.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(value.charAt(at - 1));
        return !paired;
    }

    /** Returns the text without its last bracket, to which a caller may add members. */
    String open() {
        return out.substring(0, out.length() - 1);
    }

    @Override
    public String toString() {
        return out.toString();
    }

    byte[] bytes() {
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }
}
