// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.util.Comparator;
import java.util.Iterator;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The departure board of one airport: a thread-safe source of rows, and the text last drawn from it.
 *
 * <p>{@link #announce} changes the source, on the one thread that feeds the events; {@link #draw} makes the text, on
 * any thread. A drawing shows at least what was announced before it was asked for, so when the last one asked for has
 * run, the text is that of the source, however many before it were left out. Drawing also drops rows that no later
 * drawing can show: a flight gone since {@value #SHOWN_AFTER} minutes never changes again.
 */
final class DepartureBoard {

    static final int ROWS = 12;
    static final int SHOWN_AFTER = 30;

    private record Slot(int scheduledAt, int line) {}

    private record Row(Flight flight, EventKind last, int minute) {

        boolean gone() {
            return last != EventKind.SCHEDULED;
        }
    }

    private final AirportKey key;
    private final ConcurrentSkipListMap<Slot, Row> rows = new ConcurrentSkipListMap<>(
            Comparator.comparingInt(Slot::scheduledAt).thenComparingInt(Slot::line));
    private final AtomicInteger now = new AtomicInteger(Integer.MIN_VALUE);
    private final LongAdder drawings = new LongAdder();
    private volatile String text = "";

    DepartureBoard(String airport) {
        this.key = new AirportKey(airport);
    }

    AirportKey key() {
        return key;
    }

    /** Puts the flight of the event on the board or changes its row. */
    void announce(FlightEvent event) {
        Flight flight = event.flight();
        rows.put(new Slot(flight.scheduledAt(), flight.line()), new Row(flight, event.kind(), event.minute()));
        now.accumulateAndGet(event.minute(), Math::max);
    }

    /** Draws the board as of now. */
    void draw() {
        int time = now.get();
        StringBuilder board = new StringBuilder(1024);
        board.append(key.code())
                .append(" departures, ")
                .append(LocalClock.dateAndTime(time))
                .append('\n');
        int shown = 0;
        Iterator<Row> all = rows.values().iterator();
        while (shown < ROWS && all.hasNext()) {
            Row row = all.next();
            if (row.gone() && row.minute() < time - SHOWN_AFTER) {
                all.remove();
            } else {
                append(board, row, time);
                shown++;
            }
        }
        text = board.toString();
        drawings.increment();
    }

    /** The text drawn last. */
    String text() {
        return text;
    }

    long drawings() {
        return drawings.sum();
    }

    private static void append(StringBuilder board, Row row, int time) {
        Flight flight = row.flight();
        board.append("  ");
        LocalClock.appendTime(board, flight.scheduledAt());
        board.append("  ").append(flight.carrier());
        pad(board, String.valueOf(flight.number()), 5);
        pad(board, flight.destination(), 5);
        board.append("  ");
        switch (row.last()) {
            case SCHEDULED -> board.append(time > flight.scheduledAt() ? "delayed" : "on time");
            case CANCELLED -> board.append("cancelled");
            case DEPARTED, LANDED -> {
                board.append("departed ");
                LocalClock.appendTime(board, row.minute());
            }
        }
        board.append('\n');
    }

    private static void pad(StringBuilder board, String value, int width) {
        board.append(" ".repeat(Math.max(1, width - value.length()))).append(value);
    }
}
