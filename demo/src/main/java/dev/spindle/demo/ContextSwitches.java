// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The number of voluntary context switches of a thread, which occur when the thread parks, sleeps or blocks. The counts
 * are available on Linux, which has a directory below {@code /proc} for each thread.
 */
final class ContextSwitches {

    static final long UNKNOWN = -1;

    private static final Path PROC = Path.of("/proc");
    private static final Path CURRENT = PROC.resolve("thread-self");
    private static final String VOLUNTARY = "voluntary_ctxt_switches:";

    private ContextSwitches() {}

    /** Returns the directory of the calling platform thread, or null if the system has none. */
    static @Nullable Path currentTask() {
        try {
            return PROC.resolve(Files.readSymbolicLink(CURRENT));
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Returns the count of a thread since its start, or {@link #UNKNOWN} if the count cannot be read. */
    static long of(Path task) {
        try {
            return parse(Files.readString(task.resolve("status")));
        } catch (IOException | NumberFormatException e) {
            return UNKNOWN;
        }
    }

    /** Returns the count in the text of a {@code status} file, or {@link #UNKNOWN} if the text has none. */
    static long parse(String status) {
        return status.lines()
                .filter(line -> line.startsWith(VOLUNTARY))
                .mapToLong(line ->
                        Long.parseLong(line.substring(VOLUNTARY.length()).trim()))
                .findFirst()
                .orElse(UNKNOWN);
    }
}
