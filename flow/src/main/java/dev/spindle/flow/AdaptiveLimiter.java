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
     * and is not made use of any more would stay low for ever; so it recovers with time, which is looked at when a call
     * begins. While calls are out, silence is no sign that the load is gone: a sign comes when a call ends. So it has
     * to last for twice the time of the slowest call that was overloaded since the limit was last at its initial value.
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
    private boolean wasCut;
    private long lastCut;
    private long quietSince;
    private long slowestNanos;
    private int cutsInARow;

    AdaptiveLimiter(int min, int initial, int max) {
        if (min < 1 || initial < min || max < initial) {
            throw new IllegalArgumentException(
                    "needs 1 <= min <= initial <= max, is " + min + ", " + initial + ", " + max);
        }
        this.min = min;
        this.initial = initial;
        this.max = max;
        limit = initial;
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
        if (limit < initial && wasCut) {
            long period = Math.max(RECOVERY_NANOS, 2 * slowestNanos);
            long periods = (nanoTime - quietSince) / period;
            if (periods > 0) {
                limit = Math.min(initial, Math.scalb(limit, (int) Math.min(32, periods)));
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
        set(next(limit, nanoTime, elapsedNanos, inFlight * 2L >= (long) limit, inFlight), nanoTime);
    }

    /** The limit does not recover by time alone for a while. */
    final void notQuiet(long nanoTime) {
        wasCut = true;
        quietSince = nanoTime;
    }

    private void cut(long nanoTime, long elapsedNanos) {
        if (!wasCut || nanoTime - elapsedNanos - lastCut >= 0) {
            limit = Math.max(min, limit * (cutsInARow < CUTS_BEFORE_HALVING ? CUT : 0.5));
            cutsInARow++;
            lastCut = nanoTime;
        }
        slowestNanos = Math.max(slowestNanos, Math.min(elapsedNanos, MOST_NANOS));
        notQuiet(nanoTime);
    }

    private void set(double next, long nanoTime) {
        double bounded = Math.max(min, Math.min(max, next));
        if (bounded < limit) {
            notQuiet(nanoTime);
            lastCut = nanoTime;
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
