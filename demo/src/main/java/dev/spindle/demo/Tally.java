// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts events by kind and by airline; any number of threads may count at once. */
final class Tally {

    private final Map<EventKind, LongAdder> kinds = new EnumMap<>(EventKind.class);
    private final Map<String, LongAdder> carriers = new TreeMap<>();
    private final LongAdder unassigned = new LongAdder();

    /** A tally for exactly these airlines: the maps never change, so that counting takes no lock. */
    Tally(Iterable<String> carriers) {
        for (EventKind kind : EventKind.values()) {
            kinds.put(kind, new LongAdder());
        }
        carriers.forEach(carrier -> this.carriers.put(carrier, new LongAdder()));
    }

    void count(FlightEvent event) {
        LongAdder kind = kinds.get(event.kind());
        LongAdder carrier = carriers.get(event.flight().carrier());
        if (kind == null || carrier == null) {
            throw new IllegalArgumentException(
                    "not an airline of this tally: " + event.flight().carrier());
        }
        kind.increment();
        carrier.increment();
        if (event.aircraft() == FlightEvent.NO_AIRCRAFT) {
            unassigned.increment();
        }
    }

    /** Events counted so far; while others count, an estimate. */
    long total() {
        return kinds.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** All counts by name, in a fixed order. */
    Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        kinds.forEach((kind, count) -> counts.put("events " + kind, count.sum()));
        carriers.forEach((carrier, count) -> counts.put("airline " + carrier, count.sum()));
        counts.put("events with no aircraft", unassigned.sum());
        return counts;
    }
}
