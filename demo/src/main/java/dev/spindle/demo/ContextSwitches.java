// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How often the kernel took a thread off its processor.
 *
 * @param voluntary because it had nothing to do: it parked, slept or waited
 * @param involuntary because another one was to run
 */
record ContextSwitches(long voluntary, long involuntary) {

    static final ContextSwitches NONE = new ContextSwitches(0, 0);

    private static final Path STATUS = Path.of("/proc/thread-self/status");
    private static final String VOLUNTARY = "voluntary_ctxt_switches:";
    private static final String INVOLUNTARY = "nonvoluntary_ctxt_switches:";

    /** The count of the calling thread since it began, or null where the system does not tell (it does on Linux). */
    static @Nullable ContextSwitches ofCurrentThread() {
        try {
            return parse(Files.readString(STATUS));
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    /** Reads the text of a {@code status} file, or returns null if it holds no counts. */
    static @Nullable ContextSwitches parse(String status) {
        long voluntary = -1;
        long involuntary = -1;
        for (String line : status.lines().toList()) {
            if (line.startsWith(VOLUNTARY)) {
                voluntary = Long.parseLong(line.substring(VOLUNTARY.length()).trim());
            } else if (line.startsWith(INVOLUNTARY)) {
                involuntary =
                        Long.parseLong(line.substring(INVOLUNTARY.length()).trim());
            }
        }
        return voluntary < 0 || involuntary < 0 ? null : new ContextSwitches(voluntary, involuntary);
    }

    ContextSwitches plus(ContextSwitches other) {
        return new ContextSwitches(voluntary + other.voluntary, involuntary + other.involuntary);
    }
}
