// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import dev.spindle.NanoClock;
import java.util.function.LongSupplier;

/** The clock of the system, in the two forms that executors and pools use. */
public final class SystemClock implements NanoClock, LongSupplier {
    /** The one clock. */
    public static final SystemClock INSTANCE = new SystemClock();

    private SystemClock() {}

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long getAsLong() {
        return nanoTime();
    }
}
