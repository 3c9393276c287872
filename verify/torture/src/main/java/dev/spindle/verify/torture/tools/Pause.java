// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.tools;

import java.util.concurrent.locks.LockSupport;

/** Ways to let time pass. */
public final class Pause {
    private static final int SHORT_NANOS = 20_000;

    private Pause() {}

    /** Computes for so long. */
    public static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Blocks for so long, or shorter. */
    public static void park(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /** Blocks for so long, not shorter, and keeps the interrupts of that time as the thread's flag. */
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

    /** Does nothing for so long; blocks if that is long enough for it. */
    public static void gap(long nanos) {
        if (nanos < SHORT_NANOS) {
            spin(nanos);
        } else {
            park(nanos);
        }
    }
}
