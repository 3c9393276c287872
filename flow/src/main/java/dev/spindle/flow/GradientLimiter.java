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
     * Gradient-1  `usual` is how long calls took where the limit was not made use of, or at a trial. An average of all
     *             calls would drift: under a load that stays, what queues becomes what is usual, and the limit grows
     *             for ever. So it is measured anew now and then, by a trial at half the limit, for what the backend
     *             takes may change. While half of the calls take hardly more than half as long, they still queue, and
     *             it is halved again.
     * Gradient-2  `resumed` is 0, or the limit after the trial that is on.
     * Gradient-3  Other clients of the backend queue as well, and what calls take during a trial of one client holds
     *             their queue. So a usual trial raises `least` by little, and `usual` to no more than 1.3 times of it.
     *             Where calls take more than 1.6 times the least, for two rounds, there is a deep trial: at a quarter
     *             of the limit, for one round in which the queue drains, and then one that is measured. All clients see
     *             the same queue, so they are in deep trials at about the same time, and it drains indeed. If it does
     *             not, the limit is halved and the next deep trial comes; after six without effect the backend has
     *             become slower for good.
     */
    private static final double MOST_CUT = 0.5;
    /** Where half of the calls take less than this share of the time, nearly all of it is queueing. */
    private static final double STILL_QUEUEING = 0.6;

    /** Where a deep trial takes less than this share of the time of the last one, the queue is draining. */
    private static final double DRAINING = 0.75;

    private static final double TOLERANCE = 1.05;
    private static final double HIGH = 1.6;
    private static final double MOST_ABOVE_LEAST = 1.3;
    private static final double DOWN = 0.2;
    private static final double UP = 0.03;
    /** By how much a deep trial moves what is usual, if it is about that. */
    private static final double SHARE = 0.25;

    private static final int DEEP = 4;
    private static final int MOST_FAILED = 6;

    private static final int LEAST_CALLS = 20;
    private static final int MOST_CALLS_OF_A_TRIAL = 60;
    private static final int ROUNDS_BETWEEN_TRIALS = 25;
    private static final int HIGH_ROUNDS = 2;

    private double usual;
    private double least;
    private double beforeTrial; // how long calls took
    private double resumed;
    private boolean deep; // the trial that is on
    private boolean draining; // its first round
    private double lastDeep; // how long calls took in the last deep trial, if that had no effect
    private int failed; // deep trials without effect
    private double highest; // limit since the last trial
    private int rounds; // since the last trial
    private int high; // rounds in a row that were

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
        if (used && usual > 0 && nanos > MOST_ABOVE_LEAST * usual) {
            notQuiet(nanoTime); // or it would come up by time alone, while slow calls keep a round from its end
        }
        if (begun && nanoTime - nanos - roundBegan < 0) {
            return limit; // began under another limit
        }
        calls++;
        callsUsing += used ? 1 : 0;
        sum += Math.max(1, nanos);
        // what is measured counts for long
        int enough = resumed > 0 && !draining
                ? Math.min(MOST_CALLS_OF_A_TRIAL, LEAST_CALLS + (int) (1.5 * resumed))
                : LEAST_CALLS;
        if (calls < Math.max(enough, inFlight)) {
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
        if (!used) {
            usual += (mean - usual) / (usual == 0 ? 1 : 4);
            least = usual;
            return limit;
        }
        if (usual == 0) { // from the first call on there may be a queue
            usual = mean;
            least = mean;
            return limit < 2 * DEEP ? limit : tries(limit, nanoTime, mean, true);
        }
        highest = Math.max(highest, limit);
        high = mean > HIGH * least ? high + 1 : 0;
        if (high >= HIGH_ROUNDS) {
            return tries(limit, nanoTime, mean, true);
        }
        if (++rounds >= ROUNDS_BETWEEN_TRIALS || limit <= highest / 2) {
            return tries(limit, nanoTime, mean, false);
        }
        double reduced = limit * Math.max(MOST_CUT, Math.min(1, TOLERANCE * usual / mean));
        return reduced + Math.max(Math.sqrt(reduced), mean <= usual ? limit / 4 : 0);
    }

    private double tries(double limit, long nanoTime, double mean, boolean deeply) {
        beforeTrial = mean;
        resumed = limit;
        deep = deeply;
        draining = deeply;
        high = 0;
        notQuiet(nanoTime);
        return limit / (deeply ? DEEP : 2);
    }

    private double tried(double limit, long nanoTime, double mean) {
        if (draining) {
            draining = false;
            return limit;
        }
        if (mean < beforeTrial * STILL_QUEUEING && limit > 1) {
            return tries(limit, nanoTime, mean, deep);
        }
        double next = deep ? deeplyTried(limit, mean) : resumed;
        if (!deep) {
            usual = Math.min(mean, MOST_ABOVE_LEAST * least);
            least += (mean - least) * (mean < least ? DOWN : UP);
        }
        resumed = 0;
        rounds = 0;
        highest = next;
        return next;
    }

    private double deeplyTried(double limit, double mean) {
        failed = mean < DRAINING * lastDeep ? 0 : failed + 1;
        if (mean > MOST_ABOVE_LEAST * least && failed < MOST_FAILED) {
            lastDeep = lastDeep == 0 ? mean : Math.min(lastDeep, mean);
            return Math.max(limit, resumed / 2);
        }
        failed = 0;
        lastDeep = 0;
        double share = mean > MOST_ABOVE_LEAST * least ? 1 : SHARE;
        usual += (mean - usual) * share;
        least += (mean - least) * share;
        return Math.max(limit, resumed * Math.min(1, mean / beforeTrial));
    }
}
