// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Encodes named figures on one line, which a fork or a measured program prints. */
public final class Fields {
    private static final double LARGE = 1_000;

    private Fields() {}

    static String encode(Map<String, Double> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + number(field.getValue()))
                .collect(Collectors.joining(" "));
    }

    /**
     * Returns the figures of a line; words without {@code =} are skipped.
     *
     * @throws NumberFormatException if a figure is not a number
     */
    public static Map<String, Double> decode(String line) {
        Map<String, Double> fields = new LinkedHashMap<>();
        for (String field : line.strip().split(" ", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(field.substring(0, equals), Double.valueOf(field.substring(equals + 1)));
            }
        }
        return fields;
    }

    static String number(double value) {
        return Double.isNaN(value)
                ? "NaN"
                : String.format(Locale.ROOT, Math.abs(value) >= LARGE ? "%.1f" : "%.6f", value);
    }
}
