// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** The clock of a {@link Simulation}, which advances only by {@link #advance}. Thread-safe. */
final class ManualClock {
    private final AtomicLong now;
    private volatile LongConsumer beforeAdvance = nanos -> {};

    /** Creates a clock that reads {@code nanos}. */
    ManualClock(long nanos) {
        now = new AtomicLong(nanos);
    }

    /** Returns the number of nanoseconds since an arbitrary origin, as {@link System#nanoTime} does. */
    public long nanoTime() {
        return now.get();
    }

    void advance(long nanos) {
        beforeAdvance.accept(nanos);
        now.addAndGet(nanos);
    }

    /** Makes {@link #advance} call {@code action} with its argument before the clock advances. */
    void beforeAdvance(LongConsumer action) {
        beforeAdvance = action;
    }
}
