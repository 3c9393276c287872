// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

/** A limit that follows the ratio of the time of calls without a queue to the time of the last calls. */
final class GradientLimiter extends AdaptiveLimiter {
    /*
     * The monitor of AdaptiveLimiter guards all fields.
     *
     * A change of the limit shows its effect only when calls that began under the new limit end. So the limit changes
     * once per round. A round has as many calls as are under way, but at least 20. All calls of a round began after the
     * last change. If each call changed the limit, most calls would respond to an overload to which an earlier call has
     * responded, and the limit would swing between its bounds.
     *
     * GradientLimiter-1  `usual` is the time that calls take without a queue. Trials, and rounds in which the limit is
     *     not in use, measure `usual`; a round in which the limit is in use can only lower `usual`.
     * GradientLimiter-2  A trial lowers the limit to half of the calls that run without a queue, as estimated by
     *                    `usual`. The first round of the trial drains the queue, and the second round measures; while
     *                    the time of calls falls, the limit is halved again.
     * GradientLimiter-3  A trial is due one period after the last round in which calls took no longer than usual. All
     *     clients of a backend see the shared queue empty at the same time, and clients whose calls take about the same
     *     time have the same period and the same longest trial, so their trials coincide.
     * GradientLimiter-4  A trial at most doubles `usual`. So a trial that measures the queue of other clients does
     *                    little harm, and `usual` adapts to a slower backend in several trials.
     *
     * An average of all calls instead of `usual` would drift: under a constant load the average would include the
     * queue, and the limit would grow without bound.
     *
     * Short calls of a round end first, so a small sample is biased. A trial measures more calls, since its result is
     * used for a long time.
     *
     * The values of the constants were chosen together by the simulations of CrowdTest, CongestionTest and
     * LimiterTablesTest; docs/flow.md has the results.
     */
    private static final double MOST_CUT = 0.5;
    private static final double TOLERANCE = 1.05;
    private static final double HIGH = 1.6;
    /** If the ratio of two times is above this value, the times differ by more than chance. */
    private static final double CLEARLY = 1.3;

    private static final double STILL_DRAINING = 0.75;
    private static final double MOST_RISE = 2;
    private static final double SHARE = 0.5;
    private static final double SMALL_SHARE = 0.25;

    private static final int LEAST_CALLS = 20;
    private static final int CALLS_OF_A_TRIAL = 50;
    private static final int LEAST_CALLS_OF_A_TRIAL = 8;
    /** The duration, in mean times of a call, after which fewer calls suffice for the second round of a trial. */
    private static final int LONGEST_TRIAL = 10;

    private static final int LOW_ROUNDS = 3;
    private static final long LEAST_PERIOD_NANOS = 10_000_000_000L;
    private static final long MOST_PERIOD_NANOS = 8 * LEAST_PERIOD_NANOS;
    private static final int CALLS_OF_A_PERIOD = 60;

    private enum Trial {
        NONE,
        DRAINING,
        MEASURING
    }

    private double usual;
    private boolean measured; // true once a trial has measured
    private long lowAt; // the end of the last round in which calls took no longer than usual
    private int lowRounds; // the number of consecutive rounds in which calls took no longer than usual

    private Trial trial = Trial.NONE;
    private double limitBefore; // the limit before the trial
    private double meanBefore;
    private double lastMean; // the mean with which the trial compares its next round

    private boolean begun;
    private long roundBegan;
    private int calls;
    private int callsUsing;
    private double sum;

    GradientLimiter(int min, int initial, int max) {
        super(min, initial, max);
    }

    @Override
    double next(double limit, long nanoTime, long nanos, boolean used, int running) {
        if (begun && nanoTime - nanos - roundBegan < 0) {
            return limit; // the call began under another limit
        }
        calls++;
        callsUsing += used ? 1 : 0;
        sum += Math.max(1, nanos);
        if (!isEnough(nanoTime, running)) {
            return limit;
        }
        double next = ended(limit, nanoTime, sum / calls, running);
        begun = true;
        roundBegan = nanoTime;
        calls = 0;
        callsUsing = 0;
        sum = 0;
        return next;
    }

    private boolean isEnough(long nanoTime, int running) {
        if (trial != Trial.MEASURING) {
            return calls >= Math.max(LEAST_CALLS, running);
        }
        return calls >= Math.max(CALLS_OF_A_TRIAL, 2 * running)
                || (calls >= Math.max(LEAST_CALLS_OF_A_TRIAL, running)
                        && nanoTime - roundBegan > LONGEST_TRIAL * sum / calls); // GradientLimiter-3
    }

    /** Returns the limit after a round whose calls took {@code mean} on average. */
    private double ended(double limit, long nanoTime, double mean, int running) {
        if (trial == Trial.DRAINING) {
            trial = Trial.MEASURING;
            lastMean = Math.max(lastMean, mean);
            return limit;
        }
        if (trial == Trial.MEASURING) {
            return tried(limit, nanoTime, mean);
        }
        boolean due = measured ? nanoTime - lowAt > period() : running > 1;
        if (callsUsing * 2 < calls) {
            return notUsed(limit, nanoTime, mean, running, due);
        }
        if (due) {
            trial = Trial.DRAINING;
            limitBefore = limit;
            meanBefore = mean;
            lastMean = mean;
            return limit / 2 * (usual == 0 ? 1 : Math.min(1, usual / mean)); // GradientLimiter-2
        }
        if (usual == 0) {
            usual = mean;
        }
        lowRounds = mean <= TOLERANCE * usual ? lowRounds + 1 : 0;
        if (lowRounds >= LOW_ROUNDS) {
            usual += SMALL_SHARE * Math.min(0, mean - usual); // GradientLimiter-1
            lowAt = nanoTime;
        }
        double reduced = limit * Math.max(MOST_CUT, Math.min(1, TOLERANCE * usual / mean));
        return reduced + Math.max(Math.sqrt(reduced), mean <= usual ? limit / 4 : 0);
    }

    /**
     * Returns the limit after a round in which the limit was not in use. In such a round, only other clients can cause
     * a queue.
     */
    private double notUsed(double limit, long nanoTime, double mean, int running, boolean due) {
        if (usual == 0) {
            usual = mean;
        }
        if (mean < HIGH * usual) {
            usual += SMALL_SHARE * (mean - usual);
            lowAt = nanoTime;
            return limit;
        }
        if (due) {
            learn(nanoTime, mean);
        }
        return Math.min(limit, Math.max(2.0 * running, limit / 2));
    }

    /** Returns the time between trials, which is the same for clients whose calls take about the same time. */
    private long period() {
        long period = LEAST_PERIOD_NANOS;
        while (period < CALLS_OF_A_PERIOD * usual && period < MOST_PERIOD_NANOS) {
            period *= 2;
        }
        return period;
    }

    private double tried(double limit, long nanoTime, double mean) {
        if (mean < STILL_DRAINING * lastMean && limit > 1) {
            lastMean = mean;
            return limit / 2;
        }
        learn(nanoTime, mean);
        measured = true;
        trial = Trial.NONE;
        return Math.max(limit, limitBefore * Math.min(1, TOLERANCE * usual / meanBefore));
    }

    private void learn(long nanoTime, double mean) {
        lowAt = nanoTime;
        lowRounds = 0;
        if (!measured || mean < usual / CLEARLY) {
            usual = mean;
        } else if (mean > CLEARLY * usual) {
            usual = Math.min(mean, MOST_RISE * usual); // GradientLimiter-4
        } else {
            usual += SHARE * (mean - usual);
        }
    }
}
