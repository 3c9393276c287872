// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.time.YearMonth;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses a line of the flight data into a {@link Flight}.
 *
 * <p>Empty times and an empty tail number are valid. A flight without a departure was cancelled. A flight with a
 * departure but without a landing was diverted, or its landing was not reported. A value that is not a valid number,
 * clock time, date or code is refused. A landing without a departure is also refused. This class is not thread-safe.
 */
final class FlightParser {

    static final List<String> COLUMNS = List.of(
            "month",
            "day",
            "sched_dep_time",
            "dep_time",
            "sched_arr_time",
            "arr_time",
            "carrier",
            "flight",
            "tailnum",
            "origin",
            "dest",
            "distance");

    private final int year;
    // The codes occur many times in a file, and each is stored once.
    private final Map<String, String> names = new HashMap<>();

    /** Creates a parser for rows of the given year, because a row contains only the month and the day. */
    FlightParser(int year) {
        this.year = year;
    }

    /** Checks that the first line contains the names of the columns. */
    static void checkHeader(String header) throws MalformedRowException {
        String text = header.startsWith("\uFEFF") ? header.substring(1) : header;
        List<String> columns = List.of(text.split(",", -1));
        if (columns.equals(COLUMNS)) {
            return;
        }
        for (int i = 0; i < Math.min(columns.size(), COLUMNS.size()); i++) {
            if (!columns.get(i).equals(COLUMNS.get(i))) {
                throw new MalformedRowException("column " + (i + 1) + " of the header is "
                        + MalformedRowException.quoted(columns.get(i)) + " instead of '" + COLUMNS.get(i) + "'");
            }
        }
        throw new MalformedRowException("the header has " + columns.size() + " columns instead of " + COLUMNS.size());
    }

    /** @throws MalformedRowException if the row is invalid; the message contains the column and the value */
    Flight parse(int line, String row) throws MalformedRowException {
        String[] values = row.split(",", -1);
        if (values.length != COLUMNS.size()) {
            throw new MalformedRowException("expected " + COLUMNS.size() + " columns and found " + values.length
                    + " in " + MalformedRowException.quoted(row));
        }
        int midnight = midnight(values);
        int scheduledDeparture = clock(values, 2);
        int departure = clock(values, 3);
        int scheduledArrival = clock(values, 4);
        int landing = clock(values, 5);
        if (scheduledDeparture == Flight.UNKNOWN) {
            throw MalformedRowException.of(COLUMNS.get(2), "", "a clock time, and without it the flight has no date");
        }
        if (departure == Flight.UNKNOWN && landing != Flight.UNKNOWN) {
            throw MalformedRowException.of(
                    COLUMNS.get(5), values[5], "possible without a dep_time: what never left cannot land");
        }
        int scheduledAt = midnight + scheduledDeparture;
        int departedAt = departure == Flight.UNKNOWN
                ? Flight.UNKNOWN
                : scheduledAt + LocalClock.departureDelay(scheduledDeparture, departure);
        int landedAt =
                landing == Flight.UNKNOWN ? Flight.UNKNOWN : departedAt + LocalClock.flightTime(departure, landing);
        int arrivalDelay = landing == Flight.UNKNOWN || scheduledArrival == Flight.UNKNOWN
                ? 0
                : LocalClock.arrivalDelay(scheduledArrival, landing);
        return new Flight(
                line,
                code(values, 6, 2, 3),
                number(values, 7, 1, 99_999),
                values[8].isEmpty() ? null : code(values, 8, 2, 8),
                code(values, 9, 3, 4),
                code(values, 10, 3, 4),
                number(values, 11, 0, 15_000),
                scheduledAt,
                departedAt,
                landedAt,
                arrivalDelay);
    }

    private int midnight(String[] values) throws MalformedRowException {
        int month = number(values, 0, 1, 12);
        YearMonth yearMonth = YearMonth.of(year, month);
        int day = number(values, 1, 1, 31);
        if (!yearMonth.isValidDay(day)) {
            throw MalformedRowException.of(COLUMNS.get(1), values[1], "a day of month " + month + " of " + year);
        }
        return Math.toIntExact(yearMonth.atDay(day).toEpochDay() * LocalClock.DAY);
    }

    private static int clock(String[] values, int column) throws MalformedRowException {
        String value = values[column];
        if (value.isEmpty()) {
            return Flight.UNKNOWN;
        }
        int hhmm = digits(value);
        if (hhmm < 0 || hhmm > 2400 || hhmm % 100 > 59) {
            throw MalformedRowException.of(COLUMNS.get(column), value, "empty or a clock time (HHMM from 0 to 2400)");
        }
        return hhmm / 100 * 60 + hhmm % 100;
    }

    private static int number(String[] values, int column, int least, int most) throws MalformedRowException {
        int number = digits(values[column]);
        if (number < least || number > most) {
            throw MalformedRowException.of(
                    COLUMNS.get(column), values[column], "a whole number from " + least + " to " + most);
        }
        return number;
    }

    private String code(String[] values, int column, int shortest, int longest) throws MalformedRowException {
        String value = values[column];
        boolean good = value.length() >= shortest && value.length() <= longest;
        for (int i = 0; good && i < value.length(); i++) {
            char c = value.charAt(i);
            good = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        }
        if (!good) {
            throw MalformedRowException.of(
                    COLUMNS.get(column),
                    value,
                    "a code of " + shortest + " to " + longest + " capital letters and digits");
        }
        return names.computeIfAbsent(value, name -> name);
    }

    /** Returns the value of one to six ASCII digits, or -1. */
    private static int digits(String value) {
        if (value.isEmpty() || value.length() > 6) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < value.length(); i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
