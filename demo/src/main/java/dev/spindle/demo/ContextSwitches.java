// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How often a thread gave up its processor because it had to wait: it parked, slept or was blocked. Linux tells; a task
 * there is a thread as the kernel sees it, a directory below {@code /proc}.
 */
final class ContextSwitches {

    static final long UNKNOWN = -1;

    private static final Path PROC = Path.of("/proc");
    private static final Path CURRENT = PROC.resolve("thread-self");
    private static final String VOLUNTARY = "voluntary_ctxt_switches:";

    private ContextSwitches() {}

    /** The task of the calling platform thread, or null where the system does not tell. */
    static @Nullable Path currentTask() {
        try {
            return PROC.resolve(Files.readSymbolicLink(CURRENT));
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** The count of a task since it began, or {@link #UNKNOWN} if it has ended. */
    static long of(Path task) {
        try {
            return parse(Files.readString(task.resolve("status")));
        } catch (IOException | NumberFormatException e) {
            return UNKNOWN;
        }
    }

    /** Reads the text of a {@code status} file; {@link #UNKNOWN} if it holds no count. */
    static long parse(String status) {
        return status.lines()
                .filter(line -> line.startsWith(VOLUNTARY))
                .mapToLong(line ->
                        Long.parseLong(line.substring(VOLUNTARY.length()).trim()))
                .findFirst()
                .orElse(UNKNOWN);
    }
}
