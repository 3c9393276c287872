// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process has cost so far, as Linux counts it, threads that have ended included.
 *
 * @param userNanos time in the process's own code, in steps of 10 ms
 * @param systemNanos time in the kernel on its behalf
 * @param childrenNanos time of processes that it started and that have ended
 * @param threads how many live now
 */
public record ProcessUsage(long userNanos, long systemNanos, long childrenNanos, int threads) {
    private static final long NANOS_PER_TICK = 10_000_000;
    // Fields behind the name, which is in brackets and may hold anything.
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int USER_OF_CHILDREN = 13;
    private static final int SYSTEM_OF_CHILDREN = 14;
    private static final int THREADS = 17;

    private static final String PEAK_MEMORY = "VmHWM:";
    private static final double KIB_PER_MIB = 1024;

    public static ProcessUsage of(long pid) {
        try {
            return parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
        } catch (IOException e) {
            throw new UncheckedIOException("process " + pid + " has ended", e);
        }
    }

    /** The most memory that a process had at a time, in MiB. */
    public static double peakMemory(long pid) {
        try {
            return peakMemory(Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")));
        } catch (IOException e) {
            throw new UncheckedIOException("process " + pid + " has ended", e);
        }
    }

    static double peakMemory(List<String> status) {
        return status.stream()
                .filter(line -> line.startsWith(PEAK_MEMORY))
                .map(line -> line.substring(PEAK_MEMORY.length()).strip().split(" ", -1)[0])
                .mapToDouble(kib -> Long.parseLong(kib) / KIB_PER_MIB)
                .findFirst()
                .orElse(Double.NaN);
    }

    static ProcessUsage parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new ProcessUsage(
                nanos(fields[USER]),
                nanos(fields[SYSTEM]),
                nanos(fields[USER_OF_CHILDREN]) + nanos(fields[SYSTEM_OF_CHILDREN]),
                Integer.parseInt(fields[THREADS]));
    }

    public long cpuNanos() {
        return userNanos + systemNanos;
    }

    private static long nanos(String ticks) {
        return Long.parseLong(ticks) * NANOS_PER_TICK;
    }
}
