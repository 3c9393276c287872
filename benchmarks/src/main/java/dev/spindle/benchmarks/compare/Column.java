// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import dev.spindle.benchmarks.measure.MachineLoad;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Formats the values of one figure, one per round, for the tables of a report. A hyphen stands for an empty list. */
public final class Column {
    private static final String NONE = "-";

    private Column() {}

    /** Returns the median, followed by the minimum and the maximum in brackets. */
    public static String range(Collection<Double> values) {
        if (values.isEmpty()) {
            return NONE;
        }
        Spread spread = Spread.of(values);
        return number(spread.median()) + " [" + number(spread.min()) + " to " + number(spread.max()) + "]";
    }

    static String median(Collection<Double> values) {
        return values.isEmpty() ? NONE : number(Spread.of(values).median());
    }

    static String sum(Collection<Double> values) {
        return Long.toString(
                Math.round(values.stream().mapToDouble(Double::doubleValue).sum()));
    }

    /** Returns the median of the foreign load, and the number of rounds above {@link MachineLoad#FOREIGN_LIMIT}. */
    static String foreign(Collection<Double> percents) {
        long disturbed = percents.stream()
                .filter(percent -> percent > MachineLoad.FOREIGN_LIMIT)
                .count();
        return median(percents) + (disturbed == 0 ? "" : " (" + disturbed + " of " + percents.size() + " rounds)");
    }

    public static String row(List<String> columns) {
        return "| " + String.join(" | ", columns) + " |\n";
    }

    /** Returns the value, with more decimal places for smaller values. */
    public static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }
}
