// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

/** A limit with additive increase and multiplicative decrease. */
final class AimdLimiter extends AdaptiveLimiter {
    AimdLimiter(int min, int initial, int max) {
        super(min, initial, max);
    }

    @Override
    double next(double limit, long nanoTime, long nanos, boolean used, int running) {
        return used ? limit + 1 / limit : limit;
    }
}
