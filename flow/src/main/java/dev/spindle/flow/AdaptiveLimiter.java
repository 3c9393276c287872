// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

/** A limit that is learned from how calls end. */
abstract class AdaptiveLimiter implements Limiter {
    /*
     * All fields are guarded by the monitor, under which nothing foreign runs.
     *
     * Going down: a call that began before the last cut was under way with the limit of that time; its overload was
     * answered by that cut. So a cut takes only calls that began after the last one, and a burst of failures cuts once.
     *
     * The third cut in a row without a call that ended well in between takes a half, and so do those after it: where
     * calls take long to run into their limit, tenths would take minutes.
     *
     * Coming up: a limit far below what callers ask for is made use of, and grows with each call. One that went down
     * and is not made use of any more would stay low; so it recovers with time, which is looked at when a call begins.
     * While calls are out, silence is no sign that the load is gone: a sign comes when a call ends. So it has to last
     * for twice the time of the slowest of the last calls that made use of the limit or were overloaded; `slowestNanos`
     * loses an eighth with each of them. Where calls made use of the limit meanwhile, the load has not gone, and time
     * takes it no further than `ceiling`, where it was cut last: else it would go beyond again and again.
     */
    private static final long RECOVERY_NANOS = 1_000_000_000;
    /** A call that took longer than that is an exception: the limit recovers within minutes. */
    private static final long MOST_NANOS = 60 * RECOVERY_NANOS;

    private static final double CUT = 0.9;
    private static final int CUTS_BEFORE_HALVING = 2;

    private final int min;
    private final int initial;
    private final int max;
    private double limit;
    private boolean wasLowered;
    private long lastLowered;
    private long quietSince;
    private long slowestNanos;
    private int cutsInARow;
    private double ceiling;
    private boolean wasUsed; // since it recovered last

    AdaptiveLimiter(int min, int initial, int max) {
        if (min < 1 || initial < min || max < initial) {
            throw new IllegalArgumentException(
                    "needs 1 <= min <= initial <= max, is " + min + ", " + initial + ", " + max);
        }
        this.min = min;
        this.initial = initial;
        this.max = max;
        limit = initial;
        ceiling = initial;
    }

    /**
     * Returns the limit after a call that ended at {@code nanoTime} without a sign of overload.
     *
     * @param used whether so many calls were under way that the limit mattered
     * @param inFlight how many they were, this one included, when it began
     */
    abstract double next(double limit, long nanoTime, long nanos, boolean used, int inFlight);

    @Override
    public final synchronized int limit(long nanoTime) {
        if (limit < initial) {
            long period = Math.max(RECOVERY_NANOS, 2 * slowestNanos);
            long periods = (nanoTime - quietSince) / period;
            if (periods > 0) {
                double most = wasUsed ? Math.max(limit, Math.min(initial, ceiling)) : initial;
                limit = Math.min(most, Math.scalb(limit, (int) Math.min(32, periods)));
                wasUsed = false;
                quietSince += periods * period;
                cutsInARow = 0;
            }
        }
        return (int) limit;
    }

    @Override
    public final synchronized void ended(long nanoTime, long elapsedNanos, int inFlight, boolean overloaded) {
        if (overloaded) {
            cut(nanoTime, elapsedNanos);
            return;
        }
        cutsInARow = 0;
        boolean used = inFlight * 2L >= (long) limit;
        if (used) {
            wasUsed = true;
            took(elapsedNanos);
        }
        set(next(limit, nanoTime, elapsedNanos, used, inFlight), nanoTime);
    }

    private void cut(long nanoTime, long elapsedNanos) {
        if (!wasLowered || nanoTime - elapsedNanos - lastLowered >= 0) {
            boolean half = cutsInARow >= CUTS_BEFORE_HALVING;
            limit = Math.max(min, limit * (half ? 0.5 : CUT));
            if (cutsInARow == 0) {
                ceiling = limit;
            } else if (cutsInARow == CUTS_BEFORE_HALVING) {
                ceiling /= 2;
            }
            cutsInARow++;
            lowered(nanoTime);
        }
        took(elapsedNanos);
        quietSince = nanoTime;
    }

    private void took(long nanos) {
        slowestNanos = Math.max(slowestNanos - slowestNanos / 8, Math.min(nanos, MOST_NANOS));
    }

    private void lowered(long nanoTime) {
        wasLowered = true;
        lastLowered = nanoTime;
        quietSince = nanoTime;
    }

    private void set(double next, long nanoTime) {
        double bounded = Math.max(min, Math.min(max, next));
        if (bounded < limit) {
            ceiling = bounded;
            lowered(nanoTime);
        }
        limit = bounded;
        if (limit >= initial) {
            slowestNanos = 0;
        }
    }

    @Override
    public final synchronized String toString() {
        return getClass().getSimpleName() + " at " + (int) limit;
    }
}
