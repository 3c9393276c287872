// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.internal;

import java.util.function.DoubleSupplier;

/**
 * The pauses before retries: each is a random share of a span, which doubles with each retry.
 *
 * @param firstNanos the span of the first retry
 * @param longestNanos the longest span
 * @param random the source of the shares, from 0 to 1
 */
public record Backoff(long firstNanos, long longestNanos, DoubleSupplier random) {
    /** Returns the pause before the retry with this number, from 0. */
    public long delayNanos(int number) {
        long doubled = number < 62 && firstNanos <= longestNanos >> number ? firstNanos << number : longestNanos;
        return (long) (doubled * random.getAsDouble());
    }
}
