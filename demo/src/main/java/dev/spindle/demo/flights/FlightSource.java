// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Opens the built-in flights or a file. The first two bytes of a file, not its name, determine whether the file is
 * decompressed.
 */
public final class FlightSource {

    public static final String BUILT_IN = "flights-2013-q1.csv.gz";

    private static final String BUILT_IN_NAME = BUILT_IN + " (built in)";
    private static final int GZIP_MAGIC_1 = 0x1f;
    private static final int GZIP_MAGIC_2 = 0x8b;

    private FlightSource() {}

    /**
     * Reads the given file, or the built-in flights if {@code file} is null.
     *
     * @throws DataException if the file cannot be opened, has a wrong header, or contains no valid flight
     */
    public static FlightData read(@Nullable Path file, int year, int limit) throws DataException {
        String name = file == null ? BUILT_IN_NAME : file.toString();
        try (InputStream raw = file == null ? builtIn() : open(file);
                InputStream in = unpacked(raw)) {
            return new FlightReader(year, limit).read(name, in);
        } catch (NoSuchFileException | FileNotFoundException e) {
            throw new DataException(name + ": no such file; leave --file out to replay the built-in flights");
        } catch (AccessDeniedException e) {
            throw new DataException(name + ": the file may not be read; check its permissions");
        } catch (IOException e) {
            // This clause handles only errors of opening the file. An error while rows are read is part of the result.
            throw new DataException(name + ": " + FlightReader.breakAt(1, e));
        }
    }

    private static InputStream open(Path file) throws IOException, DataException {
        if (Files.isDirectory(file)) {
            throw new DataException(file + ": is a directory; --file takes a .csv or .csv.gz file");
        }
        return Files.newInputStream(file);
    }

    private static InputStream builtIn() throws IOException {
        InputStream in = FlightSource.class.getResourceAsStream("/dev/spindle/demo/" + BUILT_IN);
        if (in == null) {
            throw new FileNotFoundException(BUILT_IN);
        }
        return in;
    }

    private static InputStream unpacked(InputStream raw) throws IOException {
        BufferedInputStream in = new BufferedInputStream(raw, 1 << 16);
        in.mark(2);
        boolean gzip = in.read() == GZIP_MAGIC_1 && in.read() == GZIP_MAGIC_2;
        in.reset();
        return gzip ? new GZIPInputStream(in, 1 << 16) : in;
    }
}
