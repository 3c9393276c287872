// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.internal;

import java.util.function.DoubleSupplier;

/**
 * The pauses before retries. A pause is a random time up to a maximum, which doubles with each retry.
 *
 * @param firstNanos the maximum pause before the first retry
 * @param longestNanos the maximum pause before any retry
 * @param random the source of random numbers from 0 to 1, by which the maximum is multiplied
 */
public record Backoff(long firstNanos, long longestNanos, DoubleSupplier random) {
    /** Returns the pause before the retry with this number; the first retry has number 0. */
    public long delayNanos(int number) {
        long doubled = number < 62 && firstNanos <= longestNanos >> number ? firstNanos << number : longestNanos;
        return (long) (doubled * random.getAsDouble());
    }
}
