// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

/** A limit that never changes. */
record FixedLimiter(int calls) implements Limiter {
    FixedLimiter {
        if (calls < 1) {
            throw new IllegalArgumentException("maxConcurrency must be at least 1, is " + calls);
        }
    }

    @Override
    public int maxConcurrency(long nanoTime) {
        return calls;
    }

    @Override
    public void ended(Sample sample) {}

    @Override
    public String toString() {
        return "fixed at " + calls;
    }
}
