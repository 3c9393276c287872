// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Conversions of durations to the nanoseconds that the clock counts. */
public final class Durations {
    /**
     * The longest delay, about 146 years. Twice this value is a valid clock difference, so due times stay comparable.
     */
    private static final long MAX_NANOS = Long.MAX_VALUE >> 1;

    private Durations() {}

    /**
     * Returns {@code time}, the value of the option {@code what}.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public static Duration requirePositive(String what, Duration time) {
        if (Objects.requireNonNull(time, what).isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, is " + time);
        }
        return time;
    }

    /**
     * Returns {@code time}, the argument {@code what}, in nanoseconds.
     *
     * @throws IllegalArgumentException if {@code time} is negative
     */
    public static long requireLimit(String what, Duration time) {
        if (Objects.requireNonNull(time, what).isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, is " + time);
        }
        return toNanos(time);
    }

    /** Returns {@code duration} in nanoseconds, or 0 if {@code duration} is negative; at most {@link #MAX_NANOS}. */
    public static long toNanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.toSeconds() >= MAX_NANOS / 1_000_000_000 ? MAX_NANOS : duration.toNanos();
    }

    /** Returns {@code delay} in nanoseconds, or 0 if {@code delay} is negative; at most {@link #MAX_NANOS}. */
    public static long toNanos(long delay, TimeUnit unit) {
        return Math.max(
                0, Math.min(MAX_NANOS, Objects.requireNonNull(unit, "unit").toNanos(delay)));
    }
}
