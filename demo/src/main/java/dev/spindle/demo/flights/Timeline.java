// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The events of many flights, sorted by minute, then by line of the file, then by kind.
 *
 * <p>A flight has a SCHEDULED event, which is followed by a CANCELLED or a DEPARTED event. A LANDED event follows
 * DEPARTED if the landing is known. A flight without a tail number has no events, because its aircraft is unknown.
 *
 * @param events all events in order
 * @param tails the tail numbers in alphabetical order; an event refers to its aircraft by the index
 */
public record Timeline(List<FlightEvent> events, List<String> tails) {

    /**
     * The minutes from the announcement of a flight to its scheduled departure; no flight departs earlier than its
     * announcement.
     */
    public static final int NOTICE = 120;

    private static final Comparator<FlightEvent> IN_TIME = Comparator.comparingInt(FlightEvent::minute)
            .thenComparingInt(event -> event.flight().line())
            .thenComparing(FlightEvent::kind);

    public Timeline {
        events = List.copyOf(events);
        tails = List.copyOf(tails);
    }

    public static Timeline of(List<Flight> flights) {
        TreeSet<String> tails = new TreeSet<>();
        for (Flight flight : flights) {
            if (flight.tail() != null) {
                tails.add(flight.tail());
            }
        }
        Map<String, Integer> indices = new HashMap<>();
        for (String tail : tails) {
            indices.put(tail, indices.size());
        }
        List<FlightEvent> events = new ArrayList<>(3 * flights.size());
        for (Flight flight : flights) {
            Integer aircraft = flight.tail() == null ? null : indices.get(flight.tail());
            if (aircraft != null) {
                addEvents(events, flight, aircraft);
            }
        }
        events.sort(IN_TIME);
        number(events, tails.size());
        return new Timeline(events, List.copyOf(tails));
    }

    /** Returns a timeline of the first {@code count} events, with the same aircraft. */
    public Timeline head(int count) {
        return new Timeline(events.subList(0, Math.min(count, events.size())), tails);
    }

    /** Returns the minutes from the first event to the last. */
    public int minutes() {
        return events.isEmpty()
                ? 0
                : events.get(events.size() - 1).minute() - events.get(0).minute();
    }

    private static void addEvents(List<FlightEvent> events, Flight flight, int aircraft) {
        events.add(new FlightEvent(flight.scheduledAt() - NOTICE, EventKind.SCHEDULED, flight, aircraft, 0));
        if (!flight.departed()) {
            events.add(new FlightEvent(flight.scheduledAt(), EventKind.CANCELLED, flight, aircraft, 0));
            return;
        }
        events.add(new FlightEvent(flight.departedAt(), EventKind.DEPARTED, flight, aircraft, 0));
        if (flight.landed()) {
            events.add(new FlightEvent(flight.landedAt(), EventKind.LANDED, flight, aircraft, 0));
        }
    }

    private static void number(List<FlightEvent> events, int aircraft) {
        int[] next = new int[aircraft];
        events.replaceAll(event -> new FlightEvent(
                event.minute(), event.kind(), event.flight(), event.aircraft(), next[event.aircraft()]++));
    }
}
