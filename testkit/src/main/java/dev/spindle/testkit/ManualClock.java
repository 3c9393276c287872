// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import dev.spindle.NanoClock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * A clock that stands still until it is told to go on. Thread-safe.
 *
 * <p>It is the clock of a {@link Simulation}, and serves code of your own that reads a {@link NanoClock}. A task that
 * advances it takes that long. The workers of a spindle with threads sleep by the system's clock: they do not notice
 * that a clock of this kind went on, so for delayed tasks use a simulation.
 */
public final class ManualClock implements NanoClock {
    private final AtomicLong now;
    private volatile LongConsumer beforeAdvance = nanos -> {};

    /** Creates a clock that reads 0. */
    public ManualClock() {
        this(0);
    }

    /**
     * Creates a clock that reads {@code nanos}; a reading near {@link Long#MAX_VALUE} shows whether overflow does harm.
     */
    public ManualClock(long nanos) {
        now = new AtomicLong(nanos);
    }

    @Override
    public long nanoTime() {
        return now.get();
    }

    /**
     * Lets time pass.
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

    /** Has each advance to come tell {@code action} before by how much. */
    void beforeAdvance(LongConsumer action) {
        beforeAdvance = action;
    }

    /** Returns a string with the time. */
    @Override
    public String toString() {
        return "manual clock at " + nanoTime() + " ns";
    }
}
