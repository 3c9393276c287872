// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Holds the thread that feeds the events back until each one is due. For one thread. */
final class Pacer {

    /** Waits shorter than this are saved up: a nap costs the feeder far more than the event it waits for. */
    private static final long SHORTEST_WAIT_NANOS = 1_000_000;

    private final Speed speed;
    private final int firstMinute;
    private final LongSupplier clock;
    private final LongConsumer nap;
    private final long start;

    /** A pacer for which the first minute is now. */
    Pacer(Speed speed, int firstMinute) {
        this(speed, firstMinute, System::nanoTime, LockSupport::parkNanos);
    }

    Pacer(Speed speed, int firstMinute, LongSupplier clock, LongConsumer nap) {
        this.speed = speed;
        this.firstMinute = firstMinute;
        this.clock = clock;
        this.nap = nap;
        this.start = clock.getAsLong();
    }

    /** Returns when an event of the given minute is due, to about a millisecond; at once if it is overdue. */
    void await(int minute) {
        if (!speed.paced()) {
            return;
        }
        long due = start + speed.nanos(minute - firstMinute);
        for (long left = due - clock.getAsLong(); left >= SHORTEST_WAIT_NANOS; left = due - clock.getAsLong()) {
            nap.accept(left);
        }
    }
}
