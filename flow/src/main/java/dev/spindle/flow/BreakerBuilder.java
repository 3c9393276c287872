// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static java.util.Objects.requireNonNull;

import dev.spindle.Spindle;
import dev.spindle.internal.SpindleParts;
import java.time.Duration;

/** A builder for a {@link Breaker} that counts the last calls. A builder is not thread-safe, and may be used again. */
public final class BreakerBuilder {
    /** The default of {@link #minimumCalls}, as in Hystrix. Not measured. */
    private static final int MINIMUM_CALLS = 20;

    final Spindle spindle;
    final String name;
    // The defaults of window and failureShare are those of resilience4j; the default of openNanos is that of Hystrix.
    int window = 100;
    double failureShare = 0.5;
    long openNanos = 5_000_000_000L;
    int trials = 3;
    private int minimumCalls;

    BreakerBuilder(Spindle spindle, String name) {
        this.spindle = requireNonNull(spindle, "spindle");
        this.name = requireNonNull(name, "name");
    }

    /**
     * Sets the number of last calls that are counted. The default is 100.
     *
     * @throws IllegalArgumentException if {@code calls} is below 1
     */
    public BreakerBuilder window(int calls) {
        window = positive("window", calls);
        return this;
    }

    /**
     * Sets the number of calls that must be counted before the breaker can open. The default is 20, or the window if it
     * is smaller.
     *
     * @throws IllegalArgumentException if {@code calls} is below 1
     */
    public BreakerBuilder minimumCalls(int calls) {
        minimumCalls = positive("minimumCalls", calls);
        return this;
    }

    /**
     * Sets the share of failures among the counted calls at which the breaker opens. The default is 0.5.
     *
     * @throws IllegalArgumentException unless 0 &lt; share &lt;= 1
     */
    public BreakerBuilder failureShare(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be above 0 and at most 1, is " + share);
        }
        failureShare = share;
        return this;
    }

    /**
     * Sets how long the breaker stays open before it becomes half-open. The default is 5 s.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public BreakerBuilder openFor(Duration time) {
        openNanos = Deadline.positive("time", time);
        return this;
    }

    /**
     * Sets the number of trials of a half-open breaker. The default is 3. If all trials succeed, the breaker closes. If
     * a trial fails, the breaker opens again. The breaker also opens again if all trials have ended and some were
     * ignored. A trial that was not made, or that its caller cancels, is replaced by another trial, at most
     * {@code calls} times.
     *
     * @throws IllegalArgumentException if {@code calls} is below 1
     */
    public BreakerBuilder trials(int calls) {
        trials = positive("trials", calls);
        return this;
    }

    private static int positive(String what, int calls) {
        if (calls < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, is " + calls);
        }
        return calls;
    }

    int minimumCalls() {
        return minimumCalls == 0 ? Math.min(MINIMUM_CALLS, window) : minimumCalls;
    }

    /**
     * Returns a new breaker in the state {@link Breaker.State#CLOSED}. The breaker takes constant time per call, and
     * has neither a thread nor a timer.
     *
     * @throws IllegalStateException if {@code minimumCalls} is above {@code window}
     */
    public Breaker build() {
        if (minimumCalls() > window) {
            throw new IllegalStateException(
                    "breaker " + name + " has minimumCalls " + minimumCalls + " above its window " + window);
        }
        CountingBreaker breaker = new CountingBreaker(this);
        SpindleParts.add(spindle, breaker);
        return breaker;
    }
}
