// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Counts this process's futex calls with {@code perf}, from {@link #begin} to {@link #end}. Used by one thread, once.
 */
public final class PerfFutex {
    static final String EVENT = "syscalls:sys_enter_futex";

    private static final String RETURN = "syscalls:sys_exit_futex";

    /** The operations with each of the flags "private" and "real-time clock". */
    private static final int[] FLAGS = {0, 128, 256, 128 + 256};

    private static final int[] WAITS = {0, 9};
    private static final int[] WAKES = {1, 5, 10};

    private final PerfStat perf;

    /** Attaches to this process; counts nothing yet. */
    public PerfFutex() {
        try {
            String self = String.valueOf(
                    Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName());
            String others = "common_pid != " + self + " && (";
            List<String> what = new ArrayList<>(List.of("-e", EVENT, "--filter", others + anyOf(WAITS) + ")"));
            what.addAll(List.of("-e", EVENT, "--filter", others + anyOf(WAKES) + ")"));
            what.addAll(List.of("-e", RETURN, "--filter", "common_pid == " + self + " && ret >= 1"));
            what.addAll(List.of("-p", Long.toString(ProcessHandle.current().pid())));
            perf = new PerfStat(what);
        } catch (IOException e) {
            throw new UncheckedIOException("the kernel does not name this thread", e);
        }
    }

    /**
     * The calls by which threads of the contender sleep and wake one another. Of the thread that drives a
     * measurement only those count that woke somebody: it waits for the clock and for the end, and each such wait of
     * its own may be followed by a wake that reaches nobody.
     */
    public record Calls(long waits, long wakes) {}

    /** Whether it works here, with the rights that this process has. */
    public static boolean works() {
        return Programs.succeeds("perf", "stat", "-e", EVENT, "true");
    }

    /** Counts from now on. */
    public void begin() {
        perf.begin();
    }

    /** Counts no more, and detaches. */
    public Calls end() {
        return parse(perf.end());
    }

    /**
     * Reads perf's list of counts: the others' waits and wakes, and the driver's calls that woke somebody.
     *
     * @throws IllegalStateException if it is something else; the message holds it
     */
    static Calls parse(List<String> lines) {
        List<Long> counts = PerfStat.counts(lines, EVENT, RETURN);
        if (counts.size() != 3) {
            throw new IllegalStateException("three counts expected from perf, got " + lines);
        }
        return new Calls(counts.get(0), counts.get(1) + counts.get(2));
    }

    private static String anyOf(int[] operations) {
        return Arrays.stream(operations)
                .boxed()
                .flatMap(operation -> Arrays.stream(FLAGS).mapToObj(flags -> "op==" + (operation | flags)))
                .collect(Collectors.joining("||"));
    }
}
