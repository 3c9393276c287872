// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything that one replay changes: the aircraft, the boards and the counts. Each contender gets a new one. */
final class World {

    private final Aircraft[] aircraft;
    private final Map<String, DepartureBoard> boards = new TreeMap<>();
    private final Tally tally;
    private final int work;

    /** A world in which nothing has happened yet, and each event of an aircraft costs so many atomic increments. */
    World(Timeline timeline, int work) {
        this.aircraft = timeline.tails().stream().map(Aircraft::new).toArray(Aircraft[]::new);
        TreeSet<String> carriers = new TreeSet<>();
        for (FlightEvent event : timeline.events()) {
            carriers.add(event.flight().carrier());
            boards.computeIfAbsent(event.flight().origin(), DepartureBoard::new);
        }
        this.tally = new Tally(carriers);
        this.work = work;
    }

    /** The aircraft of the event, which must have one. */
    Aircraft aircraftOf(FlightEvent event) {
        return aircraft[event.aircraft()];
    }

    /** The board on which the flight of the event is announced: that of the airport it leaves from. */
    DepartureBoard boardOf(FlightEvent event) {
        DepartureBoard board = boards.get(event.flight().origin());
        if (board == null) {
            throw new IllegalArgumentException(
                    "not an airport of this world: " + event.flight().origin());
        }
        return board;
    }

    /** The work of a task: the aircraft takes the event. */
    void move(FlightEvent event) {
        aircraftOf(event).take(event, work);
    }

    Tally tally() {
        return tally;
    }

    /** The states of all aircraft in the order of the timeline; only after every task has ended. */
    List<AircraftState> states() {
        return Arrays.stream(aircraft).map(Aircraft::state).toList();
    }

    long violations() {
        return Arrays.stream(aircraft).mapToLong(Aircraft::violations).sum();
    }

    long drawings() {
        return boards.values().stream().mapToLong(DepartureBoard::drawings).sum();
    }

    /** The board last drawn for each airport. */
    Map<String, String> boardTexts() {
        Map<String, String> texts = new TreeMap<>();
        boards.forEach((airport, board) -> texts.put(airport, board.text()));
        return texts;
    }
}
