// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

/** Goes by the ratio of how long calls took in the long run to how long they take now. */
final class GradientLimiter extends AdaptiveLimiter {
    private static final double TOLERANCE = 1.5;
    private static final double SMOOTHING = 0.2;
    private static final int QUEUE = 4;
    private static final int WINDOW = 600;
    private static final int WARM_UP = 10;

    private double average;
    private int noted;

    GradientLimiter(int min, int initial, int max) {
        super(min, initial, max);
    }

    /** Keeps the average of the first calls, then one in which a call counts for less the longer it is ago. */
    @Override
    void note(long nanos) {
        double taken = Math.max(1, nanos);
        if (noted < WINDOW) {
            noted++;
        }
        average += (taken - average) / (noted < WARM_UP ? noted : WINDOW);
        if (average > 2 * taken) {
            average *= 0.95; // after a long time of load: what is normal has to be learned anew
        }
    }

    @Override
    double next(double limit, long nanos) {
        double gradient = Math.max(0.5, Math.min(1, TOLERANCE * average / Math.max(1, nanos)));
        return limit * (1 - SMOOTHING) + (limit * gradient + QUEUE) * SMOOTHING;
    }
}
