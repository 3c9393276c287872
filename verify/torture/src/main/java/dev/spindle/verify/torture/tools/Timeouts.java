// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.tools;

import java.time.Duration;

/** The time limits of this process, which are longer in a process with little processor time. */
public final class Timeouts {
    private static volatile int times = 1;

    private Timeouts() {}

    /** Multiplies all time limits of this process by {@code factor}. */
    public static void set(int factor) {
        times = factor;
    }

    /** Returns true if the factor is greater than 1. */
    public static boolean isLong() {
        return times > 1;
    }

    /** Returns {@code seconds} multiplied by the factor. */
    public static long seconds(long seconds) {
        return seconds * times;
    }

    public static Duration of(Duration limit) {
        return limit.multipliedBy(times);
    }
}
