// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import dev.spindle.demo.flights.EventKind;
import dev.spindle.demo.flights.FlightEvent;

/**
 * The state of an aircraft, as a value that has a line of text.
 *
 * @param events the number of handled events, which is the sequence number of the next
 * @param place the airport of the last departure or landing, or a hyphen before the first
 * @param delay the sum of the departure delays in minutes
 * @param logbook a hash that depends on the order in which the events were handled
 */
record Airframe(
        int events, int departures, int landings, int cancelled, long miles, long delay, String place, long logbook) {
    static final Airframe NEW = new Airframe(0, 0, 0, 0, 0, 0, "-", 0);

    private static final int FIELDS = 8;
    private static final int FACTOR = 31;

    /**
     * An event as the value of a record.
     *
     * @param sequence the index of this event among those of its aircraft
     * @param place the airport where it happens
     */
    record Event(int sequence, EventKind kind, int minute, String place, int miles, int delay) {
        static Event of(FlightEvent event) {
            boolean lands = event.kind() == EventKind.LANDED;
            return new Event(
                    event.sequence(),
                    event.kind(),
                    event.minute(),
                    lands ? event.flight().destination() : event.flight().origin(),
                    event.flight().distance(),
                    event.flight().departureDelay());
        }

        static Event parse(String text) {
            String[] fields = text.split(" ", -1);
            return new Event(
                    Integer.parseInt(fields[0]),
                    EventKind.valueOf(fields[1]),
                    Integer.parseInt(fields[2]),
                    fields[3],
                    Integer.parseInt(fields[4]),
                    Integer.parseInt(fields[5]));
        }

        String text() {
            return sequence + " " + kind + " " + minute + " " + place + " " + miles + " " + delay;
        }
    }

    /** Returns the state after an event. */
    Airframe after(Event event) {
        boolean departs = event.kind == EventKind.DEPARTED;
        boolean lands = event.kind == EventKind.LANDED;
        return new Airframe(
                events + 1,
                departures + (departs ? 1 : 0),
                landings + (lands ? 1 : 0),
                cancelled + (event.kind == EventKind.CANCELLED ? 1 : 0),
                miles + (departs ? event.miles : 0),
                delay + (departs ? event.delay : 0),
                departs || lands ? event.place : place,
                FACTOR * logbook + event.text().hashCode());
    }

    String text() {
        return events + " " + departures + " " + landings + " " + cancelled + " " + miles + " " + delay + " " + place
                + " " + logbook;
    }

    static Airframe parse(String text) {
        String[] fields = text.split(" ", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("not the state of an aircraft: '" + text + "'");
        }
        return new Airframe(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                Integer.parseInt(fields[2]),
                Integer.parseInt(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]),
                fields[6],
                Long.parseLong(fields[7]));
    }
}
