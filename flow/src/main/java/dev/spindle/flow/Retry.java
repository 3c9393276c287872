// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * The number of retries after a failed call, and the pauses before them: each is a random share of a span, which
 * doubles with each retry. Immutable.
 */
public final class Retry {
    private final int most;
    private final long firstNanos;
    private final long longestNanos;
    private final DoubleSupplier random;

    private Retry(int most, long firstNanos, long longestNanos, DoubleSupplier random) {
        this.most = most;
        this.firstNanos = firstNanos;
        this.longestNanos = longestNanos;
        this.random = random;
    }

    /**
     * Returns at most {@code retries} retries after the first attempt, with spans from 20 ms to 1 s.
     *
     * @throws IllegalArgumentException if {@code retries} is below 1
     */
    public static Retry times(int retries) {
        if (retries < 1) {
            throw new IllegalArgumentException("retries must be at least 1, is " + retries);
        }
        return new Retry(
                retries,
                20_000_000,
                1_000_000_000,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * Returns a copy of this retry with other spans.
     *
     * @param first the longest pause before the first retry
     * @param longest the longest pause before any retry
     * @throws IllegalArgumentException unless 0 &lt; first &lt;= longest
     */
    public Retry spans(Duration first, Duration longest) {
        long from = Deadline.positive("first", first);
        long to = Deadline.positive("longest", longest);
        if (from > to) {
            throw new IllegalArgumentException("first must not be above longest, is " + first + " and " + longest);
        }
        return new Retry(most, from, to, random);
    }

    /**
     * Returns a copy of this retry with another source of random shares, from 0 to 1, such as a seeded one for tests.
     * The source is called by the thread that ends the failed attempt; if it throws, there is no retry.
     */
    public Retry jitter(DoubleSupplier random) {
        return new Retry(most, firstNanos, longestNanos, requireNonNull(random, "random"));
    }

    int most() {
        return most;
    }

    /** Returns the pause before the retry with this number, from 0. */
    long delayNanos(int number) {
        long doubled = number < 62 && firstNanos <= longestNanos >> number ? firstNanos << number : longestNanos;
        double share = Math.max(0, Math.min(1, random.getAsDouble()));
        return (long) (doubled * share);
    }

    /** Returns a string with the number of retries and their first and longest span. */
    @Override
    public String toString() {
        return "at most " + most + " retries, within " + Duration.ofNanos(firstNanos) + " to "
                + Duration.ofNanos(longestNanos);
    }
}
