// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.nio.file.Path;
import java.util.Map;

/**
 * Measures how long the threads of this process run, which the machine's other work does not lengthen; where nobody
 * tells, the time. The JVM's compilers and collectors do not count, nor do threads that have ended since: what one of
 * them ever ran, taken from a sum over all threads, would make the measure too small.
 */
public final class CpuTime {
    private final Map<Path, Long> atStart = LinuxThreads.cpuNanos();
    private final long began = System.nanoTime();

    private CpuTime() {}

    public static CpuTime start() {
        return new CpuTime();
    }

    /** Returns the nanoseconds since the start of all threads that have not ended. */
    public long nanos() {
        if (atStart.isEmpty()) {
            return System.nanoTime() - began;
        }
        return LinuxThreads.cpuNanos().entrySet().stream()
                .mapToLong(thread -> thread.getValue() - atStart.getOrDefault(thread.getKey(), 0L))
                .sum();
    }
}
