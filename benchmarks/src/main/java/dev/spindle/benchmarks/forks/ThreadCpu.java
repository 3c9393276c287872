// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Processor time of this process in nanoseconds, thread by thread as Linux's scheduler counts it. The JVM's own count comes
 * in steps of 10 ms, too coarse for a pool that idles; it stands in where there is no such file. Threads that ended between
 * two readings are missing.
 *
 * <p>To read the others' time costs the calling thread time of its own, so both are read apart: its own last at the
 * beginning of a measurement, and first at the end.
 */
public final class ThreadCpu {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final Path OWN = Path.of("/proc/thread-self");
    private static final boolean KNOWN = Files.isReadable(OWN.resolve("schedstat"));

    private ThreadCpu() {}

    /** The calling thread's. */
    public static long own() {
        return KNOWN ? ran(OWN) : 0;
    }

    /** That of all other threads. */
    public static long others() {
        return others(Set.of());
    }

    /** That of all other threads without some, which go by the kernel's names; of all where there are none. */
    public static long others(Set<String> without) {
        if (!KNOWN) {
            return OwnProcess.cpuNanos();
        }
        long sum = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            String own = String.valueOf(Files.readSymbolicLink(OWN).getFileName());
            for (Path task : tasks) {
                String name = String.valueOf(task.getFileName());
                if (!own.equals(name) && !without.contains(name)) {
                    sum += ran(task);
                }
            }
        } catch (IOException e) {
            return OwnProcess.cpuNanos();
        }
        return sum;
    }

    private static long ran(Path task) {
        try {
            String line = Files.readString(task.resolve("schedstat"));
            return Long.parseLong(line.substring(0, line.indexOf(' ')));
        } catch (IOException e) {
            return 0; // the thread ended between the listing and the reading
        }
    }
}
