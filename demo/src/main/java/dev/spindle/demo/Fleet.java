// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All aircraft of one run, and what to do with their events. Each contender gets a new one. */
final class Fleet {

    private final Aircraft[] aircraft;
    private final SimulatedWork work;
    private final Measures measures;
    private final long deadline;

    /**
     * A fleet to which nothing has happened yet.
     *
     * @param deadline what {@link System#nanoTime} is when events are no longer handled
     */
    Fleet(Timeline timeline, SimulatedWork work, Measures measures, long deadline) {
        this.aircraft = new Aircraft[timeline.tails().size()];
        this.work = work;
        this.measures = measures;
        this.deadline = deadline;
        Map<String, Integer> airlines = new HashMap<>();
        for (FlightEvent event : timeline.events()) {
            if (aircraft[event.aircraft()] == null) {
                int airline = airlines.computeIfAbsent(event.flight().carrier(), carrier -> airlines.size());
                aircraft[event.aircraft()] = new Aircraft(timeline.tails().get(event.aircraft()), airline);
            }
        }
    }

    Aircraft aircraftOf(FlightEvent event) {
        return aircraft[event.aircraft()];
    }

    /**
     * Handles an event; nothing once the deadline has passed.
     *
     * <p>An event waits for others from when it was handed over, or from when its aircraft was done with the event
     * before if that is later.
     *
     * @param handedOver what {@link System#nanoTime} was when the event was handed over
     */
    void handle(FlightEvent event, long handedOver) {
        long begin = System.nanoTime();
        if (begin - deadline >= 0) {
            measures.gaveUp();
            return;
        }
        Aircraft its = aircraftOf(event);
        long waited = begin - its.readyAt(handedOver);
        boolean inOrder = its.take(event, work);
        its.free(System.nanoTime());
        measures.handled(waited, inOrder);
    }

    /** The states of all aircraft that had events, in the order of the timeline; only after every task has ended. */
    List<AircraftState> states() {
        return Arrays.stream(aircraft)
                .filter(any -> any != null)
                .map(Aircraft::state)
                .toList();
    }
}
