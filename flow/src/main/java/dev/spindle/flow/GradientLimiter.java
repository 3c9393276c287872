// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

/** Goes by the ratio of how long calls take when none has to queue to how long they take now. */
final class GradientLimiter extends AdaptiveLimiter {
    /*
     * Guarded by the monitor of AdaptiveLimiter.
     *
     * A limit shows its effect no earlier than calls that began under it have ended. So it changes once for a round:
     * as many calls as are under way, of those that began after the last change. In between, each call would answer to
     * what an earlier one has answered already, and the limit would swing between its ends.
     *
     * Gradient-1  `usual` is how long calls take where none queues. It is measured by trials, or where the limit is not
     *             made use of. An average of all calls would drift: under a load that stays, what queues becomes what
     *             is usual, and the limit grows without end.
     * Gradient-2  A trial lowers the limit to half of what goes on without a queue, as far as `usual` tells. Its first
     *             round drains the queue, the second measures; while the time falls, the limit is halved again.
     * Gradient-3  Other clients of the backend queue as well, and a trial of one client measures their queue. So the
     *             trials have to come together. A trial is due a period after calls last took no longer than usual, for
     *             some rounds: all clients see one queue, so they see it empty at the same time, in a trial of one of
     *             them at the latest. The period is the same for all whose calls take about as long; so are the begin
     *             and, by a bound on the time of the second round, the end of a trial.
     * Gradient-4  A trial that is alone after all raises `usual` to twice of what it was at most. A backend that has
     *             become slower is learned by some trials.
     *
     * The calls of a round that end first are the short ones. So a trial, whose result counts for long, takes more.
     */
    private static final double MOST_CUT = 0.5;
    private static final double TOLERANCE = 1.05;
    private static final double HIGH = 1.6;
    /** Times that differ by that differ by more than chance. */
    private static final double CLEARLY = 1.3;

    private static final double STILL_DRAINING = 0.75;
    private static final double MOST_RISE = 2;
    private static final double SHARE = 0.5;
    private static final double SMALL_SHARE = 0.25;

    private static final int LEAST_CALLS = 20;
    private static final int CALLS_OF_A_TRIAL = 50;
    private static final int LEAST_CALLS_OF_A_TRIAL = 8;
    /** A trial takes no longer than so many calls one after another. */
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
    private boolean measured; // by a trial
    private long lowAt; // when calls last took no longer than usual
    private int lowRounds; // in a row

    private Trial trial = Trial.NONE;
    private double limitBefore; // the trial
    private double meanBefore;
    private double lastMean; // of the trial, or before it

    private boolean begun;
    private long roundBegan;
    private int calls;
    private int callsUsing;
    private double sum;

    GradientLimiter(int min, int initial, int max) {
        super(min, initial, max);
    }

    @Override
    double next(double limit, long nanoTime, long nanos, boolean used, int inFlight) {
        if (begun && nanoTime - nanos - roundBegan < 0) {
            return limit; // began under another limit
        }
        calls++;
        callsUsing += used ? 1 : 0;
        sum += Math.max(1, nanos);
        if (!isEnough(nanoTime, inFlight)) {
            return limit;
        }
        double next = ended(limit, nanoTime, sum / calls, inFlight);
        begun = true;
        roundBegan = nanoTime;
        calls = 0;
        callsUsing = 0;
        sum = 0;
        return next;
    }

    private boolean isEnough(long nanoTime, int inFlight) {
        if (trial != Trial.MEASURING) {
            return calls >= Math.max(LEAST_CALLS, inFlight);
        }
        return calls >= Math.max(CALLS_OF_A_TRIAL, 2 * inFlight)
                || (calls >= Math.max(LEAST_CALLS_OF_A_TRIAL, inFlight)
                        && nanoTime - roundBegan > LONGEST_TRIAL * sum / calls);
    }

    /** Returns the limit after a round of calls that took {@code mean}. */
    private double ended(double limit, long nanoTime, double mean, int inFlight) {
        if (trial == Trial.DRAINING) {
            trial = Trial.MEASURING;
            lastMean = Math.max(lastMean, mean);
            return limit;
        }
        if (trial == Trial.MEASURING) {
            return tried(limit, nanoTime, mean);
        }
        boolean due = measured ? nanoTime - lowAt > period() : inFlight > 1;
        if (callsUsing * 2 < calls) {
            return notUsed(limit, nanoTime, mean, inFlight, due);
        }
        if (due) {
            trial = Trial.DRAINING;
            limitBefore = limit;
            meanBefore = mean;
            lastMean = mean;
            return limit / 2 * (usual == 0 ? 1 : Math.min(1, usual / mean));
        }
        if (usual == 0) {
            usual = mean;
        }
        lowRounds = mean <= TOLERANCE * usual ? lowRounds + 1 : 0;
        if (lowRounds >= LOW_ROUNDS) {
            usual += SMALL_SHARE * Math.min(0, mean - usual);
            lowAt = nanoTime;
        }
        double reduced = limit * Math.max(MOST_CUT, Math.min(1, TOLERANCE * usual / mean));
        return reduced + Math.max(Math.sqrt(reduced), mean <= usual ? limit / 4 : 0);
    }

    /** What is not made use of lets none of ours queue, and need not be that high where others do. */
    private double notUsed(double limit, long nanoTime, double mean, int inFlight, boolean due) {
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
        return Math.min(limit, Math.max(2.0 * inFlight, limit / 2));
    }

    /** The same for clients whose calls take about as long, so that their trials come together. */
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
            usual = Math.min(mean, MOST_RISE * usual);
        } else {
            usual += SHARE * (mean - usual);
        }
    }
}
