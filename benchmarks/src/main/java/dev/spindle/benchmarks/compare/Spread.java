// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.Collection;

/**
 * A few values of one figure, one from each round, and the reliability of their median. No distribution is assumed.
 *
 * @param median the middle value, or the mean of the two
 * @param min the smallest value
 * @param max the largest value
 * @param low the lower end of the range that holds the true median with 90 % certainty
 * @param high the upper end of that range; with fewer than eight values it is the whole range from min to max
 * @param count the number of values
 */
public record Spread(double median, double min, double max, double low, double high, int count) {
    /** The number of values below which even the whole range holds the true median with less than 90 % certainty. */
    public static final int ENOUGH = 5;

    /**
     * Summarises values in any order.
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
     * Returns the number of values that may be left out at either end. The true median lies outside the k-th smallest
     * and k-th largest value only if fewer than k of the values fell on one side of it, which each does with
     * probability one half.
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
}
