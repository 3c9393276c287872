// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The costs of a process so far, as Linux counts them, including ended threads.
 *
 * @param cpuNanos the processor time, in steps of 10 ms
 * @param childrenNanos the processor time of its child processes that have ended
 * @param threads the number of live threads
 */
record ProcessUsage(long cpuNanos, long childrenNanos, int threads) {
    private static final long NANOS_PER_TICK = 10_000_000;
    // The indexes of fields after the name, which is in brackets and may contain anything.
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int USER_OF_CHILDREN = 13;
    private static final int SYSTEM_OF_CHILDREN = 14;
    private static final int THREADS = 17;

    static ProcessUsage of(long pid) {
        return parse(read(pid, "stat"));
    }

    static ProcessUsage parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new ProcessUsage(
                nanos(fields[USER]) + nanos(fields[SYSTEM]),
                nanos(fields[USER_OF_CHILDREN]) + nanos(fields[SYSTEM_OF_CHILDREN]),
                Integer.parseInt(fields[THREADS]));
    }

    /** Returns the peak memory of a process, in MiB. */
    static double peakMemory(long pid) {
        String status = read(pid, "status");
        String rest =
                status.substring(status.indexOf("VmHWM:") + "VmHWM:".length()).strip();
        return Long.parseLong(rest.substring(0, rest.indexOf(' '))) / 1024.0;
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file));
        } catch (IOException e) {
            throw new UncheckedIOException("process " + pid + " has ended", e);
        }
    }

    private static long nanos(String ticks) {
        return Long.parseLong(ticks) * NANOS_PER_TICK;
    }
}
