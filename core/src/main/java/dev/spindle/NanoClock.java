// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

/** The clock of a {@link Spindle}: delays, keep-alive, linger and waiting limits are all read from it. */
@FunctionalInterface
public interface NanoClock {
    /** Returns nanoseconds since an arbitrary origin; only differences mean anything, as in {@link System#nanoTime}. */
    long nanoTime();

    /** Returns the clock of the system, {@link System#nanoTime}. */
    static NanoClock system() {
        return SystemClock.INSTANCE;
    }
}
