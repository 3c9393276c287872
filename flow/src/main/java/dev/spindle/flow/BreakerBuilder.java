// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.NanoClock;
import dev.spindle.Spindle;
import java.time.Duration;

/** Builds a {@link Breaker} that counts the last calls. Not thread-safe; may be used again. */
public final class BreakerBuilder {
    final NanoClock clock;
    int window = 100;
    int minimum = 20;
    double threshold = 0.5;
    long openNanos = 5_000_000_000L;
    int trials = 3;

    BreakerBuilder(Spindle spindle) {
        clock = requireNonNull(spindle, "spindle").clock();
    }

    /**
     * Sets how many of the last calls are counted, and the minimum of calls before the breaker can open. By default 100
     * and 20.
     *
     * @throws IllegalArgumentException unless 1 &lt;= minimum &lt;= calls
     */
    public BreakerBuilder window(int calls, int minimum) {
        if (minimum < 1 || calls < minimum) {
            throw new IllegalArgumentException("needs 1 <= minimum <= calls, is " + minimum + " of " + calls);
        }
        window = calls;
        this.minimum = minimum;
        return this;
    }

    /**
     * Sets the share of failures at which the breaker opens. By default 0.5.
     *
     * @throws IllegalArgumentException unless 0 &lt; share &lt;= 1
     */
    public BreakerBuilder threshold(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be above 0 and at most 1, is " + share);
        }
        threshold = share;
        return this;
    }

    /**
     * Sets how long the breaker stays open before it becomes half-open. By default 5 s.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public BreakerBuilder openFor(Duration time) {
        openNanos = Deadline.positive("time", time);
        return this;
    }

    /**
     * Sets how many trials a half-open breaker allows. If all end well, it closes; the first that fails opens it again,
     * and so does the end of all trials if some of them were undecided. A trial that its caller cancels is replaced by
     * another, at most this many times. By default 3.
     *
     * @throws IllegalArgumentException if {@code calls} is below 1
     */
    public BreakerBuilder trials(int calls) {
        if (calls < 1) {
            throw new IllegalArgumentException("trials must be at least 1, is " + calls);
        }
        trials = calls;
        return this;
    }

    /** Returns a new breaker, closed. It takes constant time per call, and has neither a thread nor a timer. */
    public Breaker build() {
        return new CountingBreaker(this);
    }
}
