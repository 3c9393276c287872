// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

/** Remembers that no thread could be had, so that not every submit tries in vain. The crew calls it under its lock. */
final class StartFailures {
    private static final long RETRY_NANOS = 10_000_000;

    private volatile boolean failing;
    private long retry;

    /** Returns whether it is too early for another attempt. */
    boolean keepOff(long now) {
        return failing && now - retry < 0;
    }

    /** Notes a failure; false when the attempt before has failed as well. */
    boolean note(long now) {
        boolean first = !failing;
        failing = true;
        retry = now + RETRY_NANOS;
        return first;
    }

    /** Notes a success; without the lock, too. */
    void end() {
        failing = false;
    }
}
