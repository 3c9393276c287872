// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import java.util.function.LongSupplier;

/** The clock of the system, {@link System#nanoTime}. */
public final class SystemClock implements LongSupplier {
    /** The only instance. */
    public static final SystemClock INSTANCE = new SystemClock();

    private SystemClock() {}

    @Override
    public long getAsLong() {
        return System.nanoTime();
    }
}
