// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.demo.flights.AircraftState;
import dev.spindle.demo.flights.Flight;
import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.Whereabouts;

/**
 * The state of one aircraft, in plain fields: it is correct only if the executor runs its events one at a time, in
 * order, and makes the writes of each visible to the next. No method is synchronized, on purpose.
 *
 * <p>The data contains only departures from three airports, so most return flights are missing. In three cases a move
 * is impossible, and is rejected without any effect but a count:
 *
 * <ul>
 *   <li>a departure of an aircraft in the air whose landing is still to come;
 *   <li>a departure from an airport other than that of the last landing, earlier than an unrecorded return flight at
 *       {@value #MILES_PER_MINUTE} miles a minute allows; as clocks are local, {@value #CLOCK_ALLOWANCE} minutes are
 *       granted for a destination whose clock is ahead;
 *   <li>a landing of a flight that the aircraft is not on, as after a rejected departure.
 * </ul>
 *
 * A departure whose landing is not known leaves the aircraft untracked, and an untracked aircraft may depart from
 * anywhere. A cancelled flight moves nothing.
 */
final class Aircraft {

    static final int MILES_PER_MINUTE = 10;
    static final int CLOCK_ALLOWANCE = 60;

    private static final int NONE = -1;

    private final String tail;
    private final int airline;

    private Whereabouts whereabouts = Whereabouts.UNSEEN;
    private String place = "";
    private int since;
    private int currentFlight = NONE;
    private int lastDistance;
    private int scheduled;
    private int cancelled;
    private int departures;
    private int landings;
    private long miles;
    private int turnarounds;
    private long turnaroundMinutes;
    private int shortestTurnaround = NONE;
    private int lastArrivalDelay;
    private long delayCarriedOver;
    private int worstDelay;
    private int leftInTheAir;
    private int leftTooSoon;
    private int landedUnseen;
    private long work;
    private long logbook;

    private int events;
    private int nextSequence;
    private boolean busy;
    private boolean wasFree;
    private long freeSince;

    /** Creates an aircraft of the airline with the given number: the first one under which it flies. */
    Aircraft(String tail, int airline) {
        this.tail = tail;
        this.airline = airline;
    }

    String tail() {
        return tail;
    }

    int airline() {
        return airline;
    }

    /** Returns the time at which an event submitted at the given time could begin without any other aircraft. */
    long readyAt(long handedOver) {
        return wasFree && freeSince - handedOver > 0 ? freeSince : handedOver;
    }

    /** Records the end of the last event. */
    void free(long now) {
        wasFree = true;
        freeSince = now;
    }

    /**
     * Handles the next event, and performs the simulated work with it.
     *
     * @return true if it came in order: not after a later event or during another one, as far as plain fields show
     */
    boolean take(FlightEvent event, SimulatedWork simulated) {
        boolean inOrder = !busy && event.sequence() >= nextSequence;
        busy = true;
        nextSequence = Math.max(nextSequence, event.sequence() + 1);
        events++;
        logbook = 31 * logbook + event.flight().line();
        logbook = 31 * logbook + event.kind().name().hashCode();
        switch (event.kind()) {
            case SCHEDULED -> scheduled++;
            case CANCELLED -> cancelled++;
            case DEPARTED -> depart(event.flight());
            case LANDED -> land(event.flight());
        }
        work += simulated.perform(event);
        busy = false;
        return inOrder;
    }

    AircraftState state() {
        return new AircraftState(
                tail,
                whereabouts,
                place,
                since,
                events,
                scheduled,
                cancelled,
                departures,
                landings,
                miles,
                turnarounds,
                turnaroundMinutes,
                shortestTurnaround,
                lastArrivalDelay,
                delayCarriedOver,
                worstDelay,
                leftInTheAir,
                leftTooSoon,
                landedUnseen,
                work,
                logbook);
    }

    private void depart(Flight flight) {
        if (whereabouts == Whereabouts.AIRBORNE) {
            leftInTheAir++;
            return;
        }
        if (whereabouts == Whereabouts.PARKED) {
            int turnaround = flight.departedAt() - since;
            if (!place.equals(flight.origin()) && turnaround + CLOCK_ALLOWANCE < lastDistance / MILES_PER_MINUTE) {
                leftTooSoon++;
                return;
            }
            turnarounds++;
            turnaroundMinutes += turnaround;
            shortestTurnaround = shortestTurnaround == NONE ? turnaround : Math.min(shortestTurnaround, turnaround);
            delayCarriedOver += Math.max(0, Math.min(lastArrivalDelay, flight.departureDelay()));
        }
        whereabouts = flight.landed() ? Whereabouts.AIRBORNE : Whereabouts.UNTRACKED;
        place = flight.destination();
        since = flight.departedAt();
        currentFlight = flight.line();
        lastDistance = flight.distance();
        lastArrivalDelay = 0;
        worstDelay = Math.max(worstDelay, flight.departureDelay());
        departures++;
        miles += flight.distance();
    }

    private void land(Flight flight) {
        if (whereabouts != Whereabouts.AIRBORNE || currentFlight != flight.line()) {
            landedUnseen++;
            return;
        }
        whereabouts = Whereabouts.PARKED;
        since = flight.landedAt();
        lastArrivalDelay = Math.max(0, flight.arrivalDelay());
        landings++;
    }
}
