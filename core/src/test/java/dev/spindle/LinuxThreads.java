// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What the kernel counted for some threads of this process. Linux only. */
record LinuxThreads(int threads, long cpuMillis, long wakeUps) {
    private static final long MILLIS_PER_TICK = 10;

    /** Returns the sums for the threads whose names start with {@code prefix}, which has at most 12 characters. */
    static LinuxThreads named(String prefix) {
        int threads = 0;
        long ticks = 0;
        long wakeUps = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                try {
                    if (!Files.readString(task.resolve("comm")).startsWith(prefix)) {
                        continue;
                    }
                    String stat = Files.readString(task.resolve("stat"));
                    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                    ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]); // user and system time
                    wakeUps += Files.readAllLines(task.resolve("status")).stream()
                            .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
                            .mapToLong(line -> Long.parseLong(
                                    line.substring(line.indexOf(':') + 1).trim()))
                            .sum();
                    threads++;
                } catch (NoSuchFileException e) {
                    continue; // the thread has ended
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LinuxThreads(threads, ticks * MILLIS_PER_TICK, wakeUps);
    }
}
