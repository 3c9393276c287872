// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.forks.Fields;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What one fork found.
 *
 * @param values by the figures' fields
 */
record Measurement(Map<String, Double> values) {
    private static final double LARGE = 1_000;

    /** The figure; NaN when the fork does not have it. */
    double get(Figure figure) {
        return values.getOrDefault(figure.field(), Double.NaN);
    }

    long violations() {
        double violations = get(Figure.VIOLATIONS);
        return Double.isNaN(violations) ? 0 : (long) violations;
    }

    Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        values.forEach((name, value) -> fields.put(name, number(value)));
        return fields;
    }

    /** One line that {@link #decode} understands. */
    String encode() {
        return Fields.encode(fields());
    }

    static Measurement decode(String line) {
        return of(Fields.decode(line));
    }

    static Measurement of(Map<String, String> fields) {
        Map<String, Double> values = new LinkedHashMap<>();
        fields.forEach((name, value) -> values.put(name, Double.parseDouble(value)));
        return new Measurement(values);
    }

    private static String number(double value) {
        return Double.isNaN(value)
                ? "NaN"
                : String.format(Locale.ROOT, Math.abs(value) >= LARGE ? "%.1f" : "%.6f", value);
    }
}
