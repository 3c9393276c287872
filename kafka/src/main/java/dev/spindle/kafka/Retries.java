// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The options of attempts, with the checks of options. Constant when the consumer has started. */
final class Retries {
    /** The default number of attempts. Not measured. */
    private static final int ATTEMPTS = 10;

    int maxAttempts = ATTEMPTS;
    long firstNanos = Duration.ofMillis(100).toNanos();
    long longestNanos = Duration.ofSeconds(10).toNanos();

    @Nullable
    Predicate<? super Throwable> terminal;

    FailurePolicy afterFailure = FailurePolicy.stop();

    static long requireAtLeast(String what, long least, long value) {
        if (value < least) {
            throw new IllegalArgumentException(what + " must be at least " + least + ", is " + value);
        }
        return value;
    }

    static Duration requirePositive(String what, Duration time) {
        if (Objects.requireNonNull(time, what).isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, is " + time);
        }
        return time;
    }

    void setBackoff(Duration first, Duration longest) {
        requirePositive("first", first);
        if (first.compareTo(requirePositive("longest", longest)) > 0) {
            throw new IllegalArgumentException(
                    "first must not be longer than longest, is " + first + " and " + longest);
        }
        firstNanos = first.toNanos();
        longestNanos = longest.toNanos();
    }

    /** Returns true if no attempt follows the attempt number {@code attempt}, which has failed by {@code failure}. */
    boolean isFinal(int attempt, Throwable failure) {
        if (attempt >= maxAttempts) {
            return true;
        }
        try {
            return terminal != null && terminal.test(failure);
        } catch (Throwable e) {
            return false;
        }
    }

    /** Returns the time in nanoseconds from the failure of the attempt number {@code attempt} to the next attempt. */
    long backoffNanos(int attempt) {
        int doublings = Math.min(attempt - 1, Long.numberOfLeadingZeros(firstNanos) - 2);
        long most = Math.min(longestNanos, firstNanos << doublings);
        return most - (long) (most / 2.0 * ThreadLocalRandom.current().nextDouble());
    }
}
