// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.live;

import dev.spindle.demo.flights.EventKind;
import dev.spindle.demo.flights.Flight;
import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.Timeline;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the handled events say of each aircraft. The executor runs the events of one aircraft in order. */
final class Sky {
    private final Aircraft[] all;

    /** An aircraft; its events in flight are those that were handed over and not handled. */
    private static final class Aircraft {
        private final String tail;
        private final AtomicInteger open = new AtomicInteger();
        private volatile @Nullable Flight flight; // written by the task of the aircraft
        private volatile int due; // the minute of the oldest open event, written by the thread that hands over

        Aircraft(String tail) {
            this.tail = tail;
        }
    }

    /** Creates a sky without flights. */
    Sky(Timeline timeline) {
        List<String> tails = timeline.tails();
        all = tails.stream().map(Aircraft::new).toArray(Aircraft[]::new);
    }

    String tail(FlightEvent event) {
        return all[event.aircraft()].tail;
    }

    /** Called before the event is handed over. */
    void due(FlightEvent event) {
        Aircraft its = all[event.aircraft()];
        if (its.open.getAndIncrement() == 0) {
            its.due = event.minute();
        }
    }

    /** Called in the task of the event. */
    void handled(FlightEvent event) {
        Aircraft its = all[event.aircraft()];
        if (event.kind() == EventKind.DEPARTED) {
            its.flight = event.flight();
        } else if (event.kind() == EventKind.LANDED) {
            its.flight = null;
        }
        its.open.decrementAndGet();
    }

    /**
     * Writes the aircraft in the air, and those with open events, as JSON rows: tail, destination, miles, progress from
     * 0 to 1, open events, and minutes since the oldest of them was due.
     */
    String rows(int minute) {
        StringBuilder json = new StringBuilder("[");
        for (Aircraft its : all) {
            Flight flight = its.flight;
            int open = its.open.get();
            boolean flies = flight != null && flight.landed() && minute - flight.departedAt() < 24 * 60;
            if (!flies && open == 0) {
                continue;
            }
            double progress = flight == null
                    ? 0
                    : (double) (minute - flight.departedAt()) / Math.max(1, flight.landedAt() - flight.departedAt());
            json.append(json.length() == 1 ? "" : ",")
                    .append("[\"")
                    .append(plain(its.tail))
                    .append("\",\"")
                    .append(flight == null ? "" : plain(flight.destination()))
                    .append("\",")
                    .append(flight == null ? 0 : flight.distance())
                    .append(',')
                    .append(Math.round(1_000 * Math.max(0, Math.min(1, progress))) / 1_000.0)
                    .append(',')
                    .append(open)
                    .append(',')
                    .append(open == 0 ? 0 : Math.max(0, minute - its.due))
                    .append(']');
        }
        return json.append(']').toString();
    }

    /** Returns {@code text} without what would end a JSON text; a file may hold anything. */
    static String plain(String text) {
        return text.replaceAll("[^A-Za-z0-9 ._-]", "?");
    }
}
