// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.demo.flights.AircraftState;
import dev.spindle.demo.flights.Flight;
import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.Whereabouts;

/**
 * The state of one aircraft in plain fields. The state is correct only if the executor runs the aircraft's events in
 * order and makes the writes of each event visible to the next. The methods are deliberately not synchronized.
 *
 * <p>The data contains only departures from three airports, so most return flights are missing. A move is rejected, and
 * only counted, if it is impossible in one of these ways:
 *
 * <ul>
 *   <li>the aircraft departs while it is in the air;
 *   <li>the aircraft departs from another airport than that of its last landing, before it could have flown there at
 *       {@value #MILES_PER_MINUTE} miles a minute (local times add up to {@value #CLOCK_ALLOWANCE} minutes);
 *   <li>the aircraft lands without being on the flight, for example because the departure was rejected.
 * </ul>
 *
 * After a departure without a known landing the aircraft is untracked, and may depart from any airport. A cancelled
 * flight does not move the aircraft.
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

    /** Creates an aircraft; {@code airline} is the number of the airline of its first event. */
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

    /**
     * Returns the earliest time at which an event can begin: {@code handedOver}, or the end of the previous event if
     * that is later.
     */
    long readyAt(long handedOver) {
        return wasFree && freeSince - handedOver > 0 ? freeSince : handedOver;
    }

    /** Records the end of an event. */
    void free(long now) {
        wasFree = true;
        freeSince = now;
    }

    /**
     * Handles an event and performs its simulated work.
     *
     * @return false if the event ran after a later event or during another event, as far as the plain fields show
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
