// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/**
 * One aircraft, whose state is kept in plain fields: it is right only if the executor runs its events one at a time, in
 * order, and makes each visible to the next. Nothing here is synchronized, and nothing may be.
 *
 * <p>The data holds departures from three airports only, so most flights back are not in it. A move is impossible, and
 * rejected without changing anything but its count, in three cases:
 *
 * <ul>
 *   <li>a departure while the aircraft is in the air, on a flight whose landing is still to come;
 *   <li>a departure from another airport than that of the last landing, earlier than an unseen flight back could have
 *       brought it there at {@value #MILES_PER_MINUTE} miles a minute; clocks are local, so it is given
 *       {@value #CLOCK_ALLOWANCE} minutes for a destination whose clock is ahead;
 *   <li>a landing of a flight that the aircraft is not on, as after a rejected departure.
 * </ul>
 *
 * A departure whose landing is not known leaves the aircraft untracked, and from there it may depart anywhere. A
 * cancelled flight moves nothing.
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

    /** An aircraft of the airline with the given number; one that sells its flights on keeps the first. */
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

    /** When an event could begin that was handed over at the given time, if there were no other aircraft. */
    long readyAt(long handedOver) {
        return wasFree && freeSince - handedOver > 0 ? freeSince : handedOver;
    }

    /** Notes when the event that was taken last ended. */
    void free(long now) {
        wasFree = true;
        freeSince = now;
    }

    /**
     * Takes the next event and does the simulated work on the way.
     *
     * @return whether it came in order: after no later event, and while no other was being taken, as far as plain
     *     fields can tell
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
