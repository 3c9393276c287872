// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts of the kernel for some threads of this process. Linux only. */
record LinuxThreads(int threads, long cpuMillis, long wakeUps) {
    private static final long MILLIS_PER_TICK = 10;
    private static final List<String> OF_THE_JVM = List.of("C1 Comp", "C2 Comp", "GC Thread", "G1 ", "VM ");

    /** Returns the sums for the threads whose names start with {@code prefix}, which has at most 12 characters. */
    static LinuxThreads named(String prefix) {
        int threads = 0;
        long ticks = 0;
        long wakeUps = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                if (!named(task, prefix)) {
                    continue;
                }
                List<String> status = lines(task, "status");
                List<String> stat = lines(task, "stat");
                if (!status.isEmpty() && !stat.isEmpty()) { // else the thread has ended
                    String line = stat.get(0);
                    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
                    ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]); // user and system time
                    wakeUps += voluntarySwitches(status);
                    threads++;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LinuxThreads(threads, ticks * MILLIS_PER_TICK, wakeUps);
    }

    /**
     * Returns the processor time in nanoseconds of each live thread of this process, without the JVM's service threads,
     * by path; empty if the system does not report it.
     */
    static Map<Path, Long> cpuNanos() {
        Thread.yield(); // the kernel updates the time of the current thread when it yields, else once per tick
        Map<Path, Long> nanos = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                List<String> schedule = lines(task, "schedstat");
                if (!schedule.isEmpty() && !servesTheJvm(task)) {
                    nanos.put(task, Long.parseLong(schedule.get(0).split(" ", -1)[0]));
                }
            }
        } catch (IOException e) {
            return Map.of();
        }
        return nanos;
    }

    private static boolean servesTheJvm(Path task) throws IOException {
        for (String prefix : OF_THE_JVM) {
            if (named(task, prefix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean named(Path task, String prefix) throws IOException {
        List<String> name = lines(task, "comm");
        return !name.isEmpty() && name.get(0).startsWith(prefix);
    }

    private static long voluntarySwitches(List<String> status) {
        return status.stream()
                .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                .sum();
    }

    /** Returns the lines of a file of a thread, or none if the thread has ended. */
    private static List<String> lines(Path task, String file) throws IOException {
        try {
            return Files.readAllLines(task.resolve(file));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            if (Files.exists(task)) {
                throw e;
            }
            return List.of();
        }
    }
}
