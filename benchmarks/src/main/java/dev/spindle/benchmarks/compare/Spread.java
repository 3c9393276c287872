// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * The spread of a figure over the rounds, with a 90 % confidence interval of the median. The interval does not depend
 * on the distribution of the values.
 *
 * @param low the lower end of the confidence interval
 * @param high the upper end of the confidence interval; with fewer than eight values, the interval is from min to max
 */
public record Spread(double median, double min, double max, double low, double high, int count) {
    /** The smallest number of values for which the interval from min to max has a confidence of about 90 %. */
    public static final int ENOUGH = 5;

    /**
     * Returns the spread of {@code values}.
     *
     * @throws IllegalArgumentException if there are no values
     */
    public static Spread of(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int count = sorted.length;
        if (count == 0) {
            throw new IllegalArgumentException("no values");
        }
        double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
        int cut = cut(count);
        return new Spread(median, sorted[0], sorted[count - 1], sorted[cut], sorted[count - 1 - cut], count);
    }

    /**
     * Returns the number of values to omit at either end of the sorted values; the remaining values span the confidence
     * interval. Each value is on either side of the true median with probability one half. The median is therefore
     * outside the k-th smallest and k-th largest value only if fewer than k values are on one side.
     */
    private static int cut(int count) {
        double oneTail = 0;
        double binomial = 1;
        int cut = 0;
        for (int k = 0; k < count / 2; k++) {
            oneTail += binomial * Math.pow(0.5, count);
            if (2 * oneTail > 0.1) {
                break;
            }
            cut = k;
            binomial = binomial * (count - k) / (k + 1);
        }
        return cut;
    }

    private static final String NONE = "-";

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
