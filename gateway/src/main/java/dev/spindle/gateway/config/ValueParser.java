// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parser of the single values in a route file. Each failure names the value that was found and the valid values. */
final class ValueParser {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(|B|KiB|MiB|GiB)");
    private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?)%");

    private ValueParser() {}

    /** Reads {@code 250ms}, {@code 2s}, {@code 1m}, {@code 1h}. */
    static Duration time(String text) {
        Matcher found = TIME.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no time; write for example 250ms, 2s, 1m or 1h");
        }
        long amount = Long.parseLong(text, found.start(1), found.end(1), 10);
        return switch (text.substring(found.start(2))) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    /** Reads {@code 16KiB}, {@code 1MiB}, or plain bytes. */
    static long size(String text) {
        Matcher found = SIZE.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no size; write for example 16KiB, 1MiB or 4096");
        }
        long amount = Long.parseLong(text, found.start(1), found.end(1), 10);
        int shift = switch (text.substring(found.start(2))) {
            case "KiB" -> 10;
            case "MiB" -> 20;
            case "GiB" -> 30;
            default -> 0;
        };
        if (amount > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("'" + text + "' is more than " + Long.MAX_VALUE + " bytes");
        }
        return amount << shift;
    }

    /** Reads {@code 50%} as 0.5. */
    static double share(String text) {
        Matcher found = SHARE.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no share; write for example 50%");
        }
        return Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
    }

    /** Reads a whole number, which may be negative. */
    static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no whole number up to " + Integer.MAX_VALUE, e);
        }
    }

    /** Reads {@code true}, {@code on} and {@code yes}, and their opposites. */
    static boolean flag(String text) {
        return switch (text) {
            case "true", "on", "yes" -> true;
            case "false", "off", "no" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is neither true nor false");
        };
    }
}
