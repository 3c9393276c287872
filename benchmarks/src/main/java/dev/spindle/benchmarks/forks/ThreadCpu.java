// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time of this process in nanoseconds, summed over its threads as Linux's scheduler counts it. The JVM's own
 * count comes in steps of 10 ms, too coarse for a pool that idles; it stands in where there is no such file. Threads that
 * ended between two readings are missing.
 */
public final class ThreadCpu {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final boolean KNOWN = Files.isReadable(Path.of("/proc/self/schedstat"));

    private ThreadCpu() {}

    public static long nanos() {
        if (!KNOWN) {
            return OwnProcess.cpuNanos();
        }
        long sum = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                sum += ran(task);
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
