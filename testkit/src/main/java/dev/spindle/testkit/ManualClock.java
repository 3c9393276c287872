// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import dev.spindle.NanoClock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * A clock that advances only when it is told to. Thread-safe.
 *
 * <p>It is the clock of a {@link Simulation}, and can drive your own code that reads a {@link NanoClock}. A task that
 * advances it appears to take that long. The workers of a spindle with threads sleep by the system's clock and do not
 * notice its advances, so use a simulation for delayed tasks.
 */
public final class ManualClock implements NanoClock {
    private final AtomicLong now;
    private volatile LongConsumer beforeAdvance = nanos -> {};

    /** Creates a clock that reads 0. */
    public ManualClock() {
        this(0);
    }

    /**
     * Creates a clock that reads {@code nanos}. A reading near {@link Long#MAX_VALUE} tests the handling of overflow.
     */
    public ManualClock(long nanos) {
        now = new AtomicLong(nanos);
    }

    @Override
    public long nanoTime() {
        return now.get();
    }

    /**
     * Advances the clock.
     *
     * @throws IllegalArgumentException if {@code time} is negative
     */
    public void advance(Duration time) {
        if (Objects.requireNonNull(time, "time").isNegative()) {
            throw new IllegalArgumentException("time only goes forward, not by " + time);
        }
        advance(time.toNanos());
    }

    void advance(long nanos) {
        beforeAdvance.accept(nanos);
        now.addAndGet(nanos);
    }

    /** Makes each later advance call {@code action} with its nanoseconds first. */
    void beforeAdvance(LongConsumer action) {
        beforeAdvance = action;
    }

    /** Returns a string with the time. */
    @Override
    public String toString() {
        return "manual clock at " + nanoTime() + " ns";
    }
}
