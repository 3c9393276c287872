// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.flow.internal.Latencies;
import java.time.Duration;

/**
 * The delay after which a call without an answer is made a second time, while the first continues. The first answer
 * counts, and the other call is cancelled. Immutable.
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
     * Returns a hedge for calls that take longer than this share of the endpoint's last calls, about a thousand of
     * them. Calls that were cancelled by their caller are left out. There is no hedge before 20 calls.
     *
     * @param percentile the percentile, such as 0.95
     * @throws IllegalArgumentException unless 0 &lt; percentile &lt; 1
     */
    public static Hedge atPercentile(double percentile) {
        if (!(percentile > 0 && percentile < 1)) {
            throw new IllegalArgumentException("percentile must be between 0 and 1, is " + percentile);
        }
        return new Hedge(percentile, 1_000_000, 1);
    }

    /**
     * Returns a hedge after a fixed delay.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public static Hedge after(Duration time) {
        return new Hedge(0, Deadline.positive("time", time), 1);
    }

    /**
     * Returns a copy of this hedge with a delay of at least {@code time} after the call or the previous hedge. The
     * default is 1 ms.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public Hedge notBefore(Duration time) {
        long least = Deadline.positive("time", time);
        return new Hedge(percentile, percentile == 0 ? Math.max(nanos, least) : least, most);
    }

    /**
     * Returns a copy of this hedge with up to {@code calls} hedges, one after another. The default is 1.
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

    /** Returns the delay, or -1 before enough calls have been seen. */
    long delayNanos(Latencies latencies) {
        if (percentile == 0) {
            return nanos;
        }
        long seen = latencies.at(percentile);
        return seen < 0 ? -1 : Math.max(nanos, seen);
    }

    /** Returns a string with the delay or the percentile. */
    @Override
    public String toString() {
        return "hedge " + (percentile == 0 ? "after " + Duration.ofNanos(nanos) : "at percentile " + percentile);
    }
}
