// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.stage;

import dev.spindle.benchmarks.forks.Fields;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What one fork found. */
public record Measurement(Map<Figure, Double> figures) {
    private static final double LARGE = 1_000;

    public Measurement {
        figures = Map.copyOf(figures);
    }

    /** The figure; NaN when the cell does not have it. */
    public double get(Figure figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }

    /** Tasks that did not run exactly once. */
    public long miscounted() {
        return (long) figures.getOrDefault(Figure.MISCOUNTED, 0.0).doubleValue();
    }

    /** Names and values in the order of the columns of the raw file. */
    public Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        for (Figure figure : Figure.values()) {
            Double value = figures.get(figure);
            if (value != null) {
                fields.put(figure.field(), number(value));
            }
        }
        return fields;
    }

    /** One line that {@link #decode} understands. */
    public String encode() {
        return Fields.encode(fields());
    }

    public static Measurement decode(String line) {
        return of(Fields.decode(line));
    }

    /** Fields that are no figure of this version are left out. */
    public static Measurement of(Map<String, String> fields) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        fields.forEach((name, value) ->
                Figure.named(name).ifPresent(figure -> figures.put(figure, Double.parseDouble(value))));
        return new Measurement(figures);
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        return String.format(Locale.ROOT, Math.abs(value) >= LARGE ? "%.1f" : "%.6f", value);
    }
}
