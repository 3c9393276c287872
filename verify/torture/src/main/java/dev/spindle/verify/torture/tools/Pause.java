// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.tools;

import java.util.concurrent.locks.LockSupport;

/** Pauses of several kinds. */
public final class Pause {
    private static final int SHORT_NANOS = 20_000;

    private Pause() {}

    /** Keeps the processor busy for {@code nanos}. */
    public static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Blocks for at most {@code nanos}. */
    public static void park(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /** Blocks for at least {@code nanos}, and keeps an interrupt in the thread's flag. */
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

    /** Pauses for {@code nanos}, and blocks unless they are few. */
    public static void gap(long nanos) {
        if (nanos < SHORT_NANOS) {
            spin(nanos);
        } else {
            park(nanos);
        }
    }
}
