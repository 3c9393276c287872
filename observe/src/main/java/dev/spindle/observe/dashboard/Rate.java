// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.util.ArrayDeque;
import java.util.Deque;

/** The rate of a count over about the last second. Used by one thread. */
final class Rate {
    /** The time over which a rate is taken. Not measured. */
    private static final long SPAN_MILLIS = 1_000;

    private record Reading(long millis, double count) {}

    private final Deque<Reading> readings = new ArrayDeque<>();

    /**
     * Adds a reading, and returns the rate per second, or -1 if it is not known yet.
     *
     * @param millis the time by a clock that never goes back
     */
    double perSecond(long millis, double count) {
        Reading last = readings.peekLast();
        if (last == null || last.millis < millis) {
            readings.addLast(new Reading(millis, count));
        }
        while (readings.size() > 2 && second().millis <= millis - SPAN_MILLIS) {
            readings.removeFirst();
        }
        Reading first = readings.getFirst();
        long span = millis - first.millis;
        return span <= 0 ? -1 : Math.max(0, (count - first.count) * 1_000 / span);
    }

    private Reading second() {
        var all = readings.iterator();
        all.next();
        return all.next();
    }

    /** Forgets all readings, after a time without any. */
    void clear() {
        readings.clear();
    }
}
