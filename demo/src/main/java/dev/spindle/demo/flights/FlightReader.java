// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads all rows of a source, and keeps the valid rows and the messages of the first malformed rows.
 *
 * <p>A wrong header is an error, because the rows cannot be interpreted without it. A malformed row is reported and
 * skipped; a blank line is skipped. If a source cannot be read completely, for example a truncated gzip file, all
 * complete rows before the error are read.
 */
final class FlightReader {

    static final int FAULTS_KEPT = 10;

    private final FlightParser parser;
    private final int limit;
    private final List<Flight> flights = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private long malformed;
    private @Nullable String brokenOff;

    /** Creates a reader of one source that stops after {@code limit} valid rows. */
    FlightReader(int year, int limit) {
        this.parser = new FlightParser(year);
        this.limit = limit;
    }

    /**
     * Reads the stream without closing it.
     *
     * @throws DataException if the header is missing or wrong, or if no row is valid
     */
    FlightData read(String source, InputStream in) throws DataException {
        LineSource lines = new LineSource(in);
        try {
            readHeader(source, lines);
            readRows(lines);
        } catch (IOException e) {
            brokenOff = breakAt(lines.lineNumber() + 1, e);
        }
        FlightData data = new FlightData(source, flights, faults, malformed, brokenOff);
        if (flights.isEmpty()) {
            throw new DataException(source + ": no flight could be read"
                    + (brokenOff != null ? "; " + brokenOff : "")
                    + (faults.isEmpty() ? "" : "; first fault: " + faults.get(0)));
        }
        return data;
    }

    private static void readHeader(String source, LineSource lines) throws IOException, DataException {
        String header = lines.next();
        if (header == null) {
            throw new DataException(source + ": the file is empty, and should begin with the columns "
                    + String.join(",", FlightParser.COLUMNS));
        }
        try {
            FlightParser.checkHeader(header);
        } catch (MalformedRowException e) {
            throw new DataException(
                    source + ": line 1: " + e.getMessage() + "; expected " + String.join(",", FlightParser.COLUMNS));
        }
    }

    /** Returns the message that a source could not be read beyond the given line, with the cause. */
    static String breakAt(int line, IOException cause) {
        String why = cause instanceof EOFException ? "the gzip data is truncated" : cause.getMessage();
        return "line " + line + ": the file breaks off here (" + why + ")";
    }

    private void readRows(LineSource lines) throws IOException {
        String row;
        while (flights.size() < limit && (row = lines.next()) != null) {
            if (row.isBlank()) {
                continue;
            }
            try {
                flights.add(parser.parse(lines.lineNumber(), row));
            } catch (MalformedRowException e) {
                malformed++;
                if (faults.size() < FAULTS_KEPT) {
                    faults.add("line " + lines.lineNumber() + ": " + e.getMessage());
                }
            }
        }
    }
}
