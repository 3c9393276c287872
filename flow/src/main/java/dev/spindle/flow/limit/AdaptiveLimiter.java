// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

/** A limit that is learned from the ends of calls. */
abstract class AdaptiveLimiter implements Limiter {
    /*
     * The monitor guards all fields. No user code runs under the monitor.
     *
     * Lowering: an overloaded call cuts the limit only if the call began after the last cut. The last cut has already
     * responded to the overload of earlier calls, so a burst of failures cuts the limit once. From the third
     * consecutive cut on, without a successful call in between, each cut halves the limit. If calls take long to time
     * out, cuts by a tenth alone would take minutes.
     *
     * Raising: a limit is in use if at least half as many calls as it allows are under way. A limit in use may grow
     * with each call that ends. A lowered limit that is no longer in use would stay low, so it also recovers with time,
     * in maxConcurrency(). A call shows overload only when it ends. So the limit recovers only after a period without
     * overload of twice `slowestNanos`, but at least a second. `slowestNanos` is the time of the slowest recent call
     * that was overloaded or began while the limit was in use; each such call first reduces `slowestNanos` by an
     * eighth.
     *
     * If the limit was in use during the period, the load is still there. Then time raises the limit only to `ceiling`,
     * since above this value the limit would be cut again and again. `ceiling` is the limit after the first of the last
     * consecutive cuts, and half of this value after a cut that has halved the limit.
     */
    /** The minimum period without overload after which a lowered limit doubles. This value was not measured. */
    private static final long RECOVERY_NANOS = 1_000_000_000;
    /** The maximum of {@code slowestNanos}, so that the limit recovers within minutes. */
    private static final long MOST_NANOS = 60 * RECOVERY_NANOS;

    /** The factor of a cut, as in Netflix's concurrency-limits. This value was not measured. */
    private static final double CUT = 0.9;
    /** The number of consecutive cuts by a tenth, chosen by a simulation of a hanging backend in LimiterTablesTest. */
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
    private boolean wasUsed; // true if the limit was in use at some time since the last recovery

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
     * @param used true if the limit was in use when the call began
     * @param running the number of calls under way when this call began, including this call
     */
    abstract double next(double limit, long nanoTime, long nanos, boolean used, int running);

    @Override
    public final synchronized int maxConcurrency(long nanoTime) {
        if (limit < initial) {
            long period = Math.max(RECOVERY_NANOS, 2 * slowestNanos);
            long periods = (nanoTime - quietSince) / period;
            if (periods > 0) { // B4
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
    public final synchronized void ended(Sample sample) {
        long nanoTime = sample.nanoTime();
        long nanos = sample.elapsed().toNanos();
        if (sample.overloaded()) {
            cut(nanoTime, nanos);
            return;
        }
        cutsInARow = 0;
        boolean used = sample.running() * 2L >= (long) limit;
        if (used) {
            wasUsed = true;
            took(nanos);
        }
        set(next(limit, nanoTime, nanos, used, sample.running()), nanoTime);
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
