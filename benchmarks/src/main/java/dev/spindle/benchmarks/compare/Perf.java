// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A running {@code perf stat} process, which counts events from its creation until {@link #end}. This class is not
 * thread-safe.
 */
public final class Perf {
    private static final String FUTEX = "syscalls:sys_enter_futex";
    /**
     * A filter for the futex operations that wait or wake, with any of the flags for private futexes and the real-time
     * clock.
     */
    private static final String WAITS_AND_WAKES = IntStream.of(0, 9, 1, 5, 10)
            .boxed()
            .flatMap(operation -> IntStream.of(0, 128, 256, 384).mapToObj(flags -> "op==" + (operation | flags)))
            .collect(Collectors.joining("||", "(", ")"));

    /** The answer of {@code perf} to a command. Each answer but the first follows a zero byte on its line. */
    private static final String ACKNOWLEDGED = "ack";

    private final int events;
    private final Path report;
    private final Programs.Dialogue perf;

    private Perf(int events, long pid, List<String> what) {
        this.events = events;
        try {
            report = Files.createTempFile("spindle-perf", ".csv");
        } catch (IOException e) {
            throw new UncheckedIOException("no file for the report of perf", e);
        }
        List<String> command = new ArrayList<>(List.of("perf", "stat", "-x", ",", "-o", report.toString()));
        command.addAll(List.of("-D", "-1", "--control", "fd:0,1", "-p", Long.toString(pid)));
        command.addAll(what);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        perf = new Programs.Dialogue("perf", builder);
        perf.ask("enable", ACKNOWLEDGED);
    }

    public static boolean countsFutex() {
        return Programs.succeeds("perf", "stat", "-e", FUTEX, "true");
    }

    /**
     * Counts the futex calls by which threads of this process wait or wake other threads. For the calling thread, only
     * the calls that woke a thread are counted, because its waits are costs of the harness.
     */
    static Perf ofOwnFutexCalls() {
        try {
            String self = String.valueOf(
                    Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName());
            List<String> what = new ArrayList<>();
            what.addAll(List.of("-e", FUTEX, "--filter", "common_pid != " + self + " && " + WAITS_AND_WAKES));
            what.addAll(List.of("-e", "syscalls:sys_exit_futex"));
            what.addAll(List.of("--filter", "common_pid == " + self + " && ret >= 1"));
            return new Perf(2, ProcessHandle.current().pid(), what);
        } catch (IOException e) {
            throw new UncheckedIOException("the kernel does not name this thread", e);
        }
    }

    /** Counts the context switches, futex calls and system calls of another process, in this order. */
    public static Perf of(long pid) {
        return new Perf(3, pid, List.of("-e", "context-switches", "-e", FUTEX, "-e", "raw_syscalls:sys_enter"));
    }

    public List<Long> end() {
        perf.ask("disable", ACKNOWLEDGED);
        if (!Programs.succeeds("kill", "-INT", Long.toString(perf.process().pid()))) {
            throw new IllegalStateException("perf does not end");
        }
        perf.close();
        try {
            List<String> lines = Files.readAllLines(report);
            Files.delete(report);
            return counts(lines, events);
        } catch (IOException e) {
            throw new UncheckedIOException("perf left no report", e);
        }
    }

    /** @throws IllegalStateException if the number of counts is not {@code events}; the message contains the lines */
    static List<Long> counts(List<String> lines, int events) {
        List<Long> counts = lines.stream()
                .filter(line -> line.matches("(\\d+|<not counted>),.*"))
                .map(line -> line.substring(0, line.indexOf(',')))
                .map(count -> count.startsWith("<") ? 0 : Long.parseLong(count))
                .toList();
        if (counts.size() != events) {
            throw new IllegalStateException(events + " counts expected from perf, got " + lines);
        }
        return counts;
    }
}
