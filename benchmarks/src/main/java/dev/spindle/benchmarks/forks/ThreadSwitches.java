// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The context switches of each thread of a process, as Linux counts them; empty on other systems.
 *
 * <p>A thread that ended is forgotten by the kernel, so the last reading must come before a subject closes its threads.
 */
public final class ThreadSwitches {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final String VOLUNTARY = "voluntary_ctxt_switches:";
    private static final String INVOLUNTARY = "nonvoluntary_ctxt_switches:";

    private final Map<String, Count> threads;

    private ThreadSwitches(Map<String, Count> threads) {
        this.threads = threads;
    }

    /** Switches that a thread made itself, by waiting, and those that the kernel forced on it; NaN where not known. */
    public record Count(double voluntary, double involuntary) {
        public static final Count NONE = new Count(0, 0);

        public Count plus(Count other, int sign) {
            return new Count(voluntary + sign * other.voluntary, involuntary + sign * other.involuntary);
        }
    }

    /** Those of this process. */
    public static ThreadSwitches now() {
        return of(TASKS);
    }

    /** Those of another process. */
    public static ThreadSwitches of(long pid) {
        return of(Path.of("/proc", Long.toString(pid), "task"));
    }

    private static ThreadSwitches of(Path folder) {
        Map<String, Count> threads = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder)) {
            for (Path task : tasks) {
                readInto(threads, task);
            }
        } catch (IOException e) {
            return new ThreadSwitches(Map.of());
        }
        return new ThreadSwitches(threads);
    }

    /**
     * The switches since an earlier reading of the threads that came after another, the origin, and of the calling
     * thread: what a subject that was made after the origin did in a part of its life.
     */
    public Count since(ThreadSwitches earlier, ThreadSwitches origin) {
        if (threads.isEmpty()) {
            return new Count(Double.NaN, Double.NaN);
        }
        String own = ownThread();
        Count sum = Count.NONE;
        for (Map.Entry<String, Count> thread : threads.entrySet()) {
            if (!origin.threads.containsKey(thread.getKey()) || thread.getKey().equals(own)) {
                Count before = earlier.threads.getOrDefault(thread.getKey(), Count.NONE);
                sum = sum.plus(thread.getValue(), 1).plus(before, -1);
            }
        }
        return sum;
    }

    /** The switches of all threads since an earlier reading. */
    public Count since(ThreadSwitches earlier) {
        return since(earlier, new ThreadSwitches(Map.of()));
    }

    /** All switches of the threads that came after a reading, without the calling thread's. */
    public Count ofThreadsAfter(ThreadSwitches origin) {
        Count sum = Count.NONE;
        for (Map.Entry<String, Count> thread : threads.entrySet()) {
            if (!origin.threads.containsKey(thread.getKey())) {
                sum = sum.plus(thread.getValue(), 1);
            }
        }
        return threads.isEmpty() ? new Count(Double.NaN, Double.NaN) : sum;
    }

    /** The kernel's names of the threads that were read. */
    public Set<String> threads() {
        return threads.keySet();
    }

    private static void readInto(Map<String, Count> threads, Path task) {
        double voluntary = 0;
        double involuntary = 0;
        try {
            for (String line : Files.readAllLines(task.resolve("status"))) {
                if (line.startsWith(VOLUNTARY)) {
                    voluntary = Double.parseDouble(line.substring(VOLUNTARY.length()));
                } else if (line.startsWith(INVOLUNTARY)) {
                    involuntary = Double.parseDouble(line.substring(INVOLUNTARY.length()));
                }
            }
        } catch (IOException e) {
            return; // the thread ended between the listing and the reading
        }
        threads.put(String.valueOf(task.getFileName()), new Count(voluntary, involuntary));
    }

    private static String ownThread() {
        try {
            return String.valueOf(
                    Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName());
        } catch (IOException e) {
            return "";
        }
    }
}
