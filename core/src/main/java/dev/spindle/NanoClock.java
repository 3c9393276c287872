// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.executor.SystemClock;

/**
 * The clock of a {@link Spindle}, which measures delays, keep-alive, linger times and time limits. Must be thread-safe.
 */
@FunctionalInterface
public interface NanoClock {
    /**
     * Returns nanoseconds since an arbitrary origin; only differences are meaningful, as with {@link System#nanoTime}.
     */
    long nanoTime();

    /** Returns the clock of the system, {@link System#nanoTime}. */
    static NanoClock system() {
        return SystemClock.INSTANCE;
    }
}
