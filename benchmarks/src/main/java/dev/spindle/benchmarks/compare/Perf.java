// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A running {@code perf stat}, which counts from its start to {@link #end}. One thread uses it. */
public final class Perf {
    private static final String FUTEX = "syscalls:sys_enter_futex";

    /** The futex operations that wait or wake, with each of the flags "private" and "real-time clock". */
    private static final String WAITS_AND_WAKES = IntStream.of(0, 9, 1, 5, 10)
            .boxed()
            .flatMap(operation -> IntStream.of(0, 128, 256, 384).mapToObj(flags -> "op==" + (operation | flags)))
            .collect(Collectors.joining("||", "(", ")"));

    /** The separator of lines. The second line begins with the zero byte that perf sends after the first. */
    private static final String ACKNOWLEDGED = "ack";

    private static final int LIMIT_SECONDS = 10;

    private final int events;
    private final Path report;
    private final Process perf;
    private final BufferedReader answers;

    private Perf(int events, List<String> what) {
        this.events = events;
        try {
            report = Files.createTempFile("spindle-perf", ".csv");
            List<String> command = new ArrayList<>(List.of("perf", "stat", "-x", ",", "-o", report.toString()));
            command.addAll(List.of("-D", "-1", "--control", "fd:0,1"));
            command.addAll(what);
            perf = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("perf does not start", e);
        }
        answers = perf.inputReader(StandardCharsets.UTF_8);
        tell("enable");
    }

    static boolean countsFutex() {
        return Programs.succeeds("perf", "stat", "-e", FUTEX, "true");
    }

    /**
     * Counts the futex calls with which threads of this process wait and wake. Of the calling thread only the calls
     * that woke a thread count: its waits for the clock and for the end are not a cost of a contender.
     */
    static Perf ofOwnFutexCalls() {
        try {
            String self = String.valueOf(
                    Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName());
            List<String> what = new ArrayList<>();
            what.addAll(List.of("-e", FUTEX, "--filter", "common_pid != " + self + " && " + WAITS_AND_WAKES));
            what.addAll(List.of("-e", "syscalls:sys_exit_futex"));
            what.addAll(List.of("--filter", "common_pid == " + self + " && ret >= 1"));
            what.addAll(List.of("-p", Long.toString(ProcessHandle.current().pid())));
            return new Perf(2, what);
        } catch (IOException e) {
            throw new UncheckedIOException("the kernel does not name this thread", e);
        }
    }

    /** Creates a group that perf can count; empty if perf is missing or not permitted. */
    public static Optional<ControlGroup> group() {
        Optional<ControlGroup> made = ControlGroup.ofCounts();
        if (made.isPresent()) {
            List<String> trial = new ArrayList<>(List.of("perf", "stat"));
            trial.addAll(what(made.get()));
            trial.add("true");
            if (!Programs.succeeds(trial.toArray(String[]::new))) {
                made.get().close();
                return Optional.empty();
            }
        }
        return made;
    }

    /** Counts the context switches, futex calls and system calls of the processes of a group, in this order. */
    public static Perf of(ControlGroup group) {
        return new Perf(3, what(group));
    }

    private static List<String> what(ControlGroup group) {
        return List.of("-a", "-e", "context-switches", "-e", FUTEX, "-e", "raw_syscalls:sys_enter", "-G", group.name());
    }

    /** Ends the count and returns the count of each event. */
    public List<Long> end() {
        tell("disable");
        try {
            if (!Programs.succeeds("kill", "-INT", Long.toString(perf.pid()))
                    || !perf.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("perf does not end");
            }
            List<String> lines = Files.readAllLines(report);
            Files.delete(report);
            return counts(lines, events);
        } catch (IOException e) {
            throw new UncheckedIOException("perf left no report", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while perf ended", e);
        } finally {
            perf.destroyForcibly();
        }
    }

    /** @throws IllegalStateException if there are not as many counts as events; the message holds the lines */
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

    private void tell(String command) {
        try {
            perf.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            perf.getOutputStream().flush();
            String line = answers.readLine();
            if (line == null || !line.endsWith(ACKNOWLEDGED)) {
                throw new IllegalStateException("perf was told to " + command + " and said " + line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("perf does not listen", e);
        }
    }
}
