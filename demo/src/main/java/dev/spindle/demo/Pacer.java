// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Delays the feeding thread until each event is due. This class is not thread-safe. */
final class Pacer {

    /**
     * The minimum time for which the thread sleeps. If less time remains, the event is early by that time, because a
     * sleep costs much more than an event.
     */
    private static final long SHORTEST_WAIT_NANOS = 1_000_000;

    private final Speed speed;
    private final int firstMinute;
    private final LongSupplier clock;
    private final LongConsumer nap;
    private final long start;

    /** Creates a pacer whose first minute begins now. */
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

    /** Waits until the given minute is less than 1 ms away. At an unlimited speed, the method returns at once. */
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
