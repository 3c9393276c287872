// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.nio.file.Path;
import java.util.Map;

/**
 * Measures how long the threads of this process run; where nobody tells, the time. What a thread took that has ended
 * since is left out: taken from a sum over all threads, it would make the measure too small by all that the thread
 * ever ran, which for a compiler's thread is much.
 */
final class CpuTime {
    private final Map<Path, Long> atStart = LinuxThreads.cpuNanos();
    private final long began = System.nanoTime();

    private CpuTime() {}

    static CpuTime start() {
        return new CpuTime();
    }

    /** Returns the nanoseconds since the start of all threads that have not ended. */
    long nanos() {
        if (atStart.isEmpty()) {
            return System.nanoTime() - began;
        }
        return LinuxThreads.cpuNanos().entrySet().stream()
                .mapToLong(thread -> thread.getValue() - atStart.getOrDefault(thread.getKey(), 0L))
                .sum();
    }
}
