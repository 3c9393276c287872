// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.tools;

import java.time.Duration;

/** How long something may take until it counts as hanging: longer in a process that gets little of the processor. */
public final class Timeouts {
    private static volatile int times = 1;

    private Timeouts() {}

    /** Makes all limits of this process so many times longer. */
    public static void set(int factor) {
        times = factor;
    }

    /** Whether this process gets little of the processor. */
    public static boolean isLong() {
        return times > 1;
    }

    /** Returns a limit, made longer, in seconds. */
    public static long seconds(long seconds) {
        return seconds * times;
    }

    public static Duration of(Duration limit) {
        return limit.multipliedBy(times);
    }
}
