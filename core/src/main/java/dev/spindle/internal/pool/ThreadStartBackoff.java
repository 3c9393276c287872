// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Delays the next attempt after a thread could not be started, so that not every submit tries in vain, and then has one
 * made. Called under the lock, but for {@link #end} and {@link #runAfter}.
 */
final class ThreadStartBackoff {
    private static final long RETRY_NANOS = 10_000_000;

    private volatile boolean failing;
    private long retry;
    private final AtomicBoolean planned = new AtomicBoolean();

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

    /** Notes a success. */
    void end() {
        failing = false;
    }

    /**
     * Runs {@code attempt} when the delay after the last failure has passed, on a thread of the JDK's: those of the
     * pool perhaps all wait for what only another one would do.
     */
    void runAfter(Runnable attempt) {
        if (!planned.compareAndSet(false, true)) {
            return;
        }
        try {
            Executor later = CompletableFuture.delayedExecutor(RETRY_NANOS, TimeUnit.NANOSECONDS);
            later.execute(() -> {
                planned.set(false);
                attempt.run();
            });
        } catch (Throwable t) {
            planned.set(false); // there is no thread for that either: the next signal tries
        }
    }
}
