// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A reading of the processor time of this process in nanoseconds, thread by thread as Linux's scheduler counts it. The
 * JVM's own count comes in steps of 10 ms, too coarse for a pool that idles; it stands in where there is no such file,
 * and where threads have ended meanwhile, whose time no file tells any more.
 *
 * <p>To read the others' time costs the calling thread time of its own, so both are read apart: its own last at the
 * beginning of a measurement, and first at the end.
 */
public final class ThreadCpu {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final Path OWN = Path.of("/proc/thread-self");
    private static final boolean KNOWN = Files.isReadable(OWN.resolve("schedstat"));

    /** How the kernel names them, cut short. */
    private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");

    private static final long COARSE_NANOS = 20_000_000; // two steps of the JVM's count: one at each end

    private final Map<String, Long> others;
    private final long process;
    private final long own;

    private ThreadCpu(Map<String, Long> others, long process, long own) {
        this.others = others;
        this.process = process;
        this.own = own;
    }

    /** Reads at the beginning of a measurement. */
    public static ThreadCpu now() {
        Map<String, Long> others = readOthers();
        long process = OwnProcess.cpuNanos();
        return new ThreadCpu(others, process, own());
    }

    /** Returns what the process has used since, by the same thread. */
    public long nanosSince() {
        long sum = own() - own;
        long used = OwnProcess.cpuNanos() - process;
        for (Map.Entry<String, Long> thread : readOthers().entrySet()) {
            sum += Math.max(0, thread.getValue() - others.getOrDefault(thread.getKey(), 0L));
        }
        return used - sum > COARSE_NANOS ? used : sum;
    }

    /** Returns that of all other threads without some, which go by the kernel's names; of all where there are none. */
    public static long others(Set<String> without) {
        Map<String, Long> others = readOthers();
        others.keySet().removeAll(without);
        return sum(others);
    }

    /** Returns that of the JVM's compilers that live now; zero where it is not known. */
    public static long ofCompilers() {
        return KNOWN ? sum(read(task -> COMPILER.matcher(name(task)).lookingAt())) : 0;
    }

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm"));
        } catch (IOException e) {
            return ""; // as in ran
        }
    }

    private static long own() {
        return KNOWN ? ran(OWN) : 0;
    }

    private static Map<String, Long> readOthers() {
        if (!KNOWN) {
            return new HashMap<>(Map.of("process", OwnProcess.cpuNanos()));
        }
        try {
            String own = String.valueOf(Files.readSymbolicLink(OWN).getFileName());
            return read(task -> !task.endsWith(own));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + OWN, e);
        }
    }

    private static Map<String, Long> read(Predicate<Path> which) {
        Map<String, Long> found = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (which.test(task)) {
                    found.put(String.valueOf(task.getFileName()), ran(task));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + TASKS, e);
        }
        return found;
    }

    private static long sum(Map<String, Long> threads) {
        return threads.values().stream().mapToLong(Long::longValue).sum();
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
