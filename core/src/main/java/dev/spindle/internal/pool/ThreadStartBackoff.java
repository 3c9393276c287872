// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

/**
 * Delays the next attempt after a thread could not be started, so that not every submit tries in vain. Called under the
 * lock.
 */
final class ThreadStartBackoff {
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
