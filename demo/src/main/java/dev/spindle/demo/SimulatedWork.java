// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.Blocking;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What it costs to handle an event: each one computes, and one in {@value #LOOK_UP_ONE_IN} waits for a look-up before,
 * the same ones in every run.
 *
 * @param increments atomic increments per event
 * @param lookUpMillis how long a look-up takes, or 0 for none
 * @param announced whether look-ups say that they wait, by {@link Blocking}, which only a Spindle makes use of
 */
record SimulatedWork(int increments, int lookUpMillis, boolean announced) {

    static final int LOOK_UP_ONE_IN = 100;

    private static final int GOLDEN_RATIO = 0x9E3779B9;

    /** The same work without the look-ups. */
    SimulatedWork computing() {
        return new SimulatedWork(increments, 0, announced);
    }

    /** Whether handling the event begins with a look-up. */
    @SuppressWarnings("EnumOrdinal") // any number that differs between the kinds
    boolean looksUp(FlightEvent event) {
        int mixed = (31 * event.flight().line() + event.kind().ordinal()) * GOLDEN_RATIO;
        return lookUpMillis > 0 && (mixed >>> 8) % LOOK_UP_ONE_IN == 0;
    }

    /** Does the work for the event, and returns how many increments it was. */
    long perform(FlightEvent event) {
        if (looksUp(event)) {
            if (announced) {
                Blocking.run(this::lookUp);
            } else {
                lookUp();
            }
        }
        return increment(increments);
    }

    /**
     * Does so many atomic increments, and returns how many it did.
     *
     * <p>The counter is new each time: one kept by the aircraft would order its turns by itself, and hide an executor
     * that does not.
     */
    @SuppressWarnings("UnnecessaryAsync") // Atomic is what the work is to be.
    static long increment(int times) {
        AtomicLong counter = new AtomicLong();
        for (int i = 0; i < times; i++) {
            counter.incrementAndGet();
        }
        return counter.get();
    }

    private void lookUp() {
        try {
            Thread.sleep(lookUpMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
