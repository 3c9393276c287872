// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * How many processors this process has, a quota counted: a container may be resized. No timer reads it again, but a
 * pool that grows, becomes idle or looks at its workers, at most once in {@link #AGE_NANOS}.
 */
class Processors {
    static final long AGE_NANOS = 1_000_000_000;

    private volatile long readAt;

    /** Returns whether the last reading is old, and if so counts this as the next. By any thread. */
    final boolean isOld(long now) {
        if (now - readAt < AGE_NANOS && readAt - now < AGE_NANOS) {
            return false;
        }
        readAt = now;
        return true;
    }

    /** Reads the number; by default what the JVM says. Called outside every lock. */
    int read() {
        return Runtime.getRuntime().availableProcessors();
    }
}
