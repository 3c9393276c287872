// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.report;

import dev.spindle.benchmarks.forks.MachineLoad;
import dev.spindle.benchmarks.forks.Spread;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the tables of the reports say of one figure's values, one from each round: a hyphen where there are none. */
public final class Column {
    private static final String NONE = "-";

    private Column() {}

    /** Returns the median and, in brackets, the smallest and the largest. */
    public static String range(Collection<Double> values) {
        if (values.isEmpty()) {
            return NONE;
        }
        Spread spread = Spread.of(values);
        return number(spread.median()) + " [" + number(spread.min()) + " to " + number(spread.max()) + "]";
    }

    /** Returns the median alone. */
    public static String median(Collection<Double> values) {
        return values.isEmpty() ? NONE : number(Spread.of(values).median());
    }

    /** Returns the sum, of what is counted. */
    public static String sum(Collection<Double> values) {
        return String.format(
                Locale.ROOT,
                "%.0f",
                values.stream().mapToDouble(Double::doubleValue).sum());
    }

    /** Returns the median of what others took of the machine, and in how many rounds it was too much. */
    public static String foreign(Collection<Double> percents) {
        long disturbed = percents.stream()
                .filter(percent -> percent > MachineLoad.FOREIGN_LIMIT)
                .count();
        return median(percents) + (disturbed == 0 ? "" : " (" + disturbed + " of " + percents.size() + " rounds)");
    }

    /** Returns a line of a table. */
    public static String row(List<String> columns) {
        return "| " + String.join(" | ", columns) + " |\n";
    }

    /** Returns the list that follows a table: why some rounds have no figure. Empty where all have. */
    public static String failures(List<String> reasons) {
        return reasons.isEmpty()
                ? ""
                : reasons.stream()
                        .map(reason -> "- " + reason + "\n")
                        .collect(Collectors.joining("", "\nForks without a figure:\n\n", ""));
    }

    /** Returns the digits that mean something. */
    public static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }
}
