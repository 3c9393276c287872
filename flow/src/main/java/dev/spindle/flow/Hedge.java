// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.time.Duration;

/**
 * When a call that has not been answered is made a second time beside the first. The first answer counts, and the other
 * call is cancelled. Immutable.
 */
public final class Hedge {
    private final double percentile;
    private final long nanos;
    private final int most;

    private Hedge(double percentile, long nanos, int most) {
        this.percentile = percentile;
        this.nanos = nanos;
        this.most = most;
    }

    /**
     * Returns a hedge for calls that take longer than most: longer than that share of the last calls of the endpoint,
     * about a thousand of them, as far as they were not cancelled by their caller. While fewer than 20 have been seen
     * there is no hedge.
     *
     * @param percentile such as 0.95
     * @throws IllegalArgumentException unless 0 &lt; percentile &lt; 1
     */
    public static Hedge atPercentile(double percentile) {
        if (!(percentile > 0 && percentile < 1)) {
            throw new IllegalArgumentException("percentile must be between 0 and 1, is " + percentile);
        }
        return new Hedge(percentile, 1_000_000, 1);
    }

    /**
     * Returns a hedge after a fixed time.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public static Hedge after(Duration time) {
        return new Hedge(0, Deadline.positive("time", time), 1);
    }

    /**
     * Returns the same, but never earlier than {@code time} after the call, or after the hedge before. By default 1 ms.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public Hedge notBefore(Duration time) {
        long least = Deadline.positive("time", time);
        return new Hedge(percentile, percentile == 0 ? Math.max(nanos, least) : least, most);
    }

    /**
     * Returns the same with up to {@code calls} beside the first, one after another. By default 1.
     *
     * @throws IllegalArgumentException if {@code calls} is below 1
     */
    public Hedge most(int calls) {
        if (calls < 1) {
            throw new IllegalArgumentException("calls must be at least 1, is " + calls);
        }
        return new Hedge(percentile, nanos, calls);
    }

    int most() {
        return most;
    }

    /** Returns when to hedge, or -1 while that is not known. */
    long delayNanos(Latencies latencies) {
        if (percentile == 0) {
            return nanos;
        }
        long seen = latencies.at(percentile);
        return seen < 0 ? -1 : Math.max(nanos, seen);
    }

    /** Returns a string with the delay, or the percentile that it follows. */
    @Override
    public String toString() {
        return "hedge " + (percentile == 0 ? "after " + Duration.ofNanos(nanos) : "at percentile " + percentile);
    }
}
