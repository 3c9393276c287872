// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.nio.file.Path;
import java.util.Map;

/**
 * Measures the processor time of the threads of this process, which other work of the machine does not lengthen. On
 * systems that do not report it, measures elapsed time. The JVM's compilers and collectors do not count. Neither do
 * threads that have ended since: a difference of sums from which a thread has vanished would be too small.
 */
public final class CpuTime {
    private final Map<Path, Long> atStart = LinuxThreads.cpuNanos();
    private final long began = System.nanoTime();

    private CpuTime() {}

    public static CpuTime start() {
        return new CpuTime();
    }

    /** Returns the nanoseconds since the start of this measurement, over all threads that have not ended. */
    public long nanos() {
        if (atStart.isEmpty()) {
            return System.nanoTime() - began;
        }
        return LinuxThreads.cpuNanos().entrySet().stream()
                .mapToLong(thread -> thread.getValue() - atStart.getOrDefault(thread.getKey(), 0L))
                .sum();
    }
}
