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
     * Gradient-1  `usual` is how long calls took where the limit was not made use of, or at half of it. An average of
     *             all calls would drift: under a load that stays, what queues becomes what is usual, and the limit
     *             grows for ever. So it has to be measured anew now and then, by a trial at half the limit, for what
     *             the backend takes may change. While half of the calls take hardly more than half as long, they still
     *             queue, and it is halved again.
     * Gradient-2  `resumed` is 0, or the limit after the trial that is on.
     */
    private static final double TOLERANCE = 1.2;
    private static final double MOST_CUT = 0.5;
    /** Where half of the calls take less than this share of the time, nearly all of it is queueing. */
    private static final double STILL_QUEUEING = 0.6;

    private static final int LEAST_CALLS = 20;
    private static final int ROUNDS_BETWEEN_TRIALS = 25;

    private double usual;
    private double beforeTrial; // how long calls took
    private double resumed;
    private double highest; // limit since the last trial
    private int rounds; // since the last trial

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
        if (used && usual > 0 && nanos > TOLERANCE * usual) {
            notQuiet(nanoTime); // or it would come up by time alone, while slow calls keep a round from its end
        }
        if (begun && nanoTime - nanos - roundBegan < 0) {
            return limit; // began under another limit
        }
        calls++;
        callsUsing += used ? 1 : 0;
        sum += Math.max(1, nanos);
        if (calls < Math.max(LEAST_CALLS, inFlight)) {
            return limit;
        }
        double next = ended(limit, nanoTime, sum / calls, callsUsing * 2 >= calls);
        begun = true;
        roundBegan = nanoTime;
        calls = 0;
        callsUsing = 0;
        sum = 0;
        return next;
    }

    /** Returns the limit after a round of calls that took {@code mean}. */
    private double ended(double limit, long nanoTime, double mean, boolean used) {
        if (resumed > 0) {
            return tried(limit, nanoTime, mean);
        }
        if (usual == 0 || !used) {
            usual += (mean - usual) / (usual == 0 ? 1 : 4);
            return limit;
        }
        highest = Math.max(highest, limit);
        if (++rounds >= ROUNDS_BETWEEN_TRIALS || limit <= highest / 2) {
            beforeTrial = mean;
            resumed = limit;
            notQuiet(nanoTime);
            return limit / 2;
        }
        double gradient = Math.max(MOST_CUT, Math.min(1, TOLERANCE * usual / mean));
        return limit * gradient + Math.max(Math.sqrt(limit), mean <= usual ? limit / 4 : 0);
    }

    private double tried(double limit, long nanoTime, double mean) {
        if (mean < beforeTrial * STILL_QUEUEING && limit > 1) {
            beforeTrial = mean;
            resumed = limit;
            notQuiet(nanoTime);
            return limit / 2;
        }
        double next = resumed;
        usual = mean;
        resumed = 0;
        rounds = 0;
        highest = next;
        return next;
    }
}
