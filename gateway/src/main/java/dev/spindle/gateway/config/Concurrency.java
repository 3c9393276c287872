// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

/**
 * The number of requests or calls that may be under way at once: fixed, or learned from their durations.
 *
 * @param min the minimum of a learned limit
 * @param initial the initial value of a learned limit
 * @param max the maximum; all three numbers of a fixed limit are equal
 */
public record Concurrency(int min, int initial, int max) {
    /**
     * Creates a limit.
     *
     * @throws IllegalArgumentException unless 1 &lt;= min &lt;= initial &lt;= max
     */
    public Concurrency {
        if (min < 1 || initial < min || max < initial) {
            throw new IllegalArgumentException(
                    "needs 1 <= min <= initial <= max, is " + min + ", " + initial + ", " + max);
        }
    }

    /** Returns a limit that never changes. */
    public static Concurrency fixed(int most) {
        return new Concurrency(most, most, most);
    }

    /** Returns a learned limit, which decreases while requests take longer than before, and otherwise increases. */
    public static Concurrency adaptive(int min, int initial, int max) {
        return new Concurrency(min, initial, max);
    }

    /** Returns whether the limit never changes. */
    public boolean isFixed() {
        return min == max;
    }
}
