// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.Spindle;
import dev.spindle.demo.flights.FlightEvent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The simulated work of an event. Each event computes. One event in {@value #LOOK_UP_ONE_IN} first waits for a look-up;
 * these are the same events in every run.
 *
 * @param increments the number of atomic increments per event
 * @param lookUpMillis the duration of a look-up in milliseconds, or 0 for no look-ups
 * @param announced true if look-ups use {@link Spindle#callBlocking}, which affects only a Spindle
 */
record SimulatedWork(int increments, int lookUpMillis, boolean announced) {

    static final int LOOK_UP_ONE_IN = 100;

    private static final int GOLDEN_RATIO = 0x9E3779B9;

    /** Returns this work without look-ups. */
    SimulatedWork computing() {
        return new SimulatedWork(increments, 0, announced);
    }

    /** Returns true if the work of the event begins with a look-up. */
    @SuppressWarnings("EnumOrdinal") // each kind needs a distinct number
    boolean looksUp(FlightEvent event) {
        int mixed = (31 * event.flight().line() + event.kind().ordinal()) * GOLDEN_RATIO;
        return lookUpMillis > 0 && (mixed >>> 8) % LOOK_UP_ONE_IN == 0;
    }

    /** Performs the work of the event, and returns the number of increments. */
    long perform(FlightEvent event) {
        if (looksUp(event)) {
            if (announced) {
                Spindle.callBlocking(() -> {
                    lookUp();
                    return null;
                });
            } else {
                lookUp();
            }
        }
        return increment(increments);
    }

    /**
     * Performs {@code times} atomic increments, and returns their number.
     *
     * <p>The counter is local. The increments of a counter shared by the turns of an aircraft would order the turns,
     * and hide an executor that does not order them.
     */
    @SuppressWarnings("UnnecessaryAsync") // the atomic increments are the work
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
