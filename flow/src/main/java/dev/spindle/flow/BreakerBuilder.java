// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.NanoClock;
import dev.spindle.Spindle;
import java.time.Duration;

/** Makes a {@link Breaker} that counts the last calls. Not thread-safe; may be used again. */
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
     * Sets how many of the last calls are looked at, and how many there must be at least before the breaker can open.
     * By default 100 and 20.
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
     * Sets from which share of failures on the breaker opens. By default 0.5.
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
     * Sets for how long no call goes through before trials do. By default 5 s.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public BreakerBuilder openFor(Duration time) {
        openNanos = Deadline.positive("time", time);
        return this;
    }

    /**
     * Sets how many trials go through when the breaker is half-open. If all end well it closes; the first that fails
     * opens it again, and so do trials that have ended and say too little. One that its caller cancels makes room for
     * another, up to as many times. By default 3.
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

    /** Makes the breaker, closed. It takes constant time per call, and has neither a thread nor a timer. */
    public Breaker build() {
        return new CountingBreaker(this);
    }
}
