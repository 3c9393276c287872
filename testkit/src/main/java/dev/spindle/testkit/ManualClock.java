// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** The clock of a {@link Simulation}, which advances only when it is told to. Thread-safe. */
final class ManualClock {
    private final AtomicLong now;
    private volatile LongConsumer beforeAdvance = nanos -> {};

    /** Creates a clock that reads {@code nanos}. */
    ManualClock(long nanos) {
        now = new AtomicLong(nanos);
    }

    /** Returns the nanoseconds that have passed since an arbitrary origin, as {@link System#nanoTime} does. */
    public long nanoTime() {
        return now.get();
    }

    void advance(long nanos) {
        beforeAdvance.accept(nanos);
        now.addAndGet(nanos);
    }

    /** Makes each later advance call {@code action} with its nanoseconds first. */
    void beforeAdvance(LongConsumer action) {
        beforeAdvance = action;
    }
}
