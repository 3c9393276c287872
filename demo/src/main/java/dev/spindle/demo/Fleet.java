// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.demo.flights.AircraftState;
import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.Timeline;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All aircraft of one run, and the handling of their events. Each run has a new fleet. */
final class Fleet {

    private final Aircraft[] aircraft;
    private final SimulatedWork work;
    private final Measures measures;
    private final long deadline;

    /**
     * Creates a fleet whose aircraft have no events.
     *
     * @param deadline the {@link System#nanoTime} after which events are no longer handled
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
     * Handles an event, or only counts it after the deadline.
     *
     * <p>The wait of an event begins when the event is handed over, or at the end of the aircraft's previous event if
     * that is later.
     *
     * @param handedOver the {@link System#nanoTime} at which the event was handed over
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

    /**
     * Returns the states of all aircraft with events, in the order of the timeline. The method is called after all
     * tasks have ended.
     */
    List<AircraftState> states() {
        return Arrays.stream(aircraft)
                .filter(any -> any != null)
                .map(Aircraft::state)
                .toList();
    }
}
