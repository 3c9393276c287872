// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.tools;

import java.util.concurrent.locks.LockSupport;

/** Ways to wait for a time. */
public final class Pause {
    private static final int SHORT_NANOS = 20_000;

    private Pause() {}

    /** Spins for {@code nanos} nanoseconds. */
    public static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Parks for at most {@code nanos} nanoseconds. */
    public static void park(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /**
     * Parks for at least {@code nanos} nanoseconds. An interrupt does not end the wait, and the interrupt status is
     * restored.
     */
    public static void whole(long nanos) {
        boolean interrupted = false;
        for (long end = System.nanoTime() + nanos, left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for about {@code nanos} nanoseconds; spins if the time is short and parks otherwise. */
    public static void gap(long nanos) {
        if (nanos < SHORT_NANOS) {
            spin(nanos);
        } else {
            park(nanos);
        }
    }
}
