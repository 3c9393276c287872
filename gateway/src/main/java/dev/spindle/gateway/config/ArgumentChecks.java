// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** Checks of the builders' arguments. Each failure names the option, its bounds and the value. */
final class ArgumentChecks {
    private ArgumentChecks() {}

    /** Checks that {@code value} is from {@code least} to {@code most}, inclusive, and returns {@code value}. */
    static long within(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " must be "
                    + (most == Long.MAX_VALUE ? "at least " + least : "from " + least + " to " + most) + ", is "
                    + value);
        }
        return value;
    }

    /** Checks that {@code time} is above zero, and returns {@code time}. */
    static Duration positive(String what, Duration time) {
        if (requireNonNull(time, what).isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, is " + time);
        }
        return time;
    }

    /** Checks that {@code name} is a valid name of a header field, and returns {@code name}. */
    static String fieldName(String what, String name) {
        if (!isToken(requireNonNull(name, what))) {
            throw new IllegalArgumentException("'" + name + "' is no name of a header field");
        }
        return name;
    }

    /** Returns whether {@code text} is a token of HTTP, as names of header fields are. */
    static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0));
    }
}
