// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Rows of flight data for tests. */
public final class Rows {

    public static final String HEADER = String.join(",", FlightParser.COLUMNS);

    /** A flight that departs on 1 March 2013 at 10:05 and lands at 12:10, both late. */
    public static final String GOOD = "3,1,1000,1005,1200,1210,AA,11,N1AA,JFK,BOS,187";

    public static final String CANCELLED = "3,1,1100,,1300,,UA,22,N2UA,EWR,ORD,719";
    public static final String UNASSIGNED = "3,1,1130,,1330,,UA,23,,EWR,ORD,719";
    public static final String LANDING_UNKNOWN = "3,1,1200,1159,1400,,DL,33,N3DL,LGA,ATL,762";
    public static final String MALFORMED = "3,1,1200,2575,1400,,DL,33,N3DL,LGA,ATL,762";

    private Rows() {}

    public static Flight flight(String row) {
        return flight(2, row);
    }

    public static Flight flight(int line, String row) {
        try {
            return new FlightParser(2013).parse(line, row);
        } catch (MalformedRowException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static List<Flight> flights(String... rows) {
        List<Flight> flights = new ArrayList<>();
        for (String row : rows) {
            flights.add(flight(flights.size() + 2, row));
        }
        return flights;
    }

    /** Returns a file with the header and these rows as plain text. */
    public static byte[] csv(String... rows) {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        lines.addAll(Arrays.asList(rows));
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    /** Returns {@code count} different valid rows: one flight per minute, with a few aircraft. */
    public static String[] many(int count) {
        String[] rows = new String[count];
        for (int i = 0; i < count; i++) {
            int day = 1 + i / 600 % 28;
            int minute = i % 600;
            int departure = (6 + minute / 60) * 100 + minute % 60;
            int landing = departure + 200;
            rows[i] = "3," + day + "," + departure + "," + departure + "," + landing + "," + landing + ",AA,"
                    + (1 + i % 9000) + ",N" + (10 + i % 37) + ",JFK,BOS,187";
        }
        return rows;
    }
}
