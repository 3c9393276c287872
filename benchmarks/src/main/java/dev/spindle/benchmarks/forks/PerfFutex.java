// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Counts this process's futex calls with {@code perf}, from {@link #begin} to {@link #end}. Used by one thread, once. */
public final class PerfFutex {
    static final String EVENT = "syscalls:sys_enter_futex";

    private static final String RETURN = "syscalls:sys_exit_futex";

    /** The operations with each of the flags "private" and "real-time clock". */
    private static final int[] FLAGS = {0, 128, 256, 128 + 256};

    private static final int[] WAITS = {0, 9};
    private static final int[] WAKES = {1, 5, 10};
    /** A line ends with it; the second one begins with the zero byte that perf sends after the first. */
    private static final String ACKNOWLEDGED = "ack";

    private static final int LIMIT_SECONDS = 10;

    private final Path report;
    private final Process perf;
    private final BufferedReader answers;

    /** Attaches to this process; counts nothing yet. */
    public PerfFutex() {
        try {
            report = Files.createTempFile("spindle-futex", ".csv");
            String self = String.valueOf(
                    Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName());
            String others = "common_pid != " + self + " && (";
            List<String> command = new ArrayList<>(List.of("perf", "stat", "-x", ",", "-o", report.toString()));
            command.addAll(List.of("-D", "-1", "--control", "fd:0,1"));
            command.addAll(List.of("-e", EVENT, "--filter", others + anyOf(WAITS) + ")"));
            command.addAll(List.of("-e", EVENT, "--filter", others + anyOf(WAKES) + ")"));
            command.addAll(List.of("-e", RETURN, "--filter", "common_pid == " + self + " && ret >= 1"));
            command.addAll(List.of("-p", Long.toString(ProcessHandle.current().pid())));
            perf = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("perf does not start", e);
        }
        answers = new BufferedReader(new InputStreamReader(perf.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * System calls by which threads of a process put themselves to sleep and wake one another. Of the thread that drives a
     * measurement only those count that woke somebody: it waits for the clock and for the end, and each such wait of its own
     * may be followed by a wake that reaches nobody.
     */
    public record Calls(long waits, long wakes) {}

    /** Whether it works here, with the rights that this process has. */
    public static boolean works() {
        return Programs.succeeds("perf", "stat", "-e", EVENT, "true");
    }

    /** Counts from now on. */
    public void begin() {
        tell("enable");
    }

    /** Counts no more, and detaches. */
    public Calls end() {
        tell("disable");
        try {
            if (!Programs.succeeds("kill", "-INT", Long.toString(perf.pid()))
                    || !perf.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("perf does not end");
            }
            Calls calls = parse(Files.readAllLines(report));
            Files.delete(report);
            return calls;
        } catch (IOException e) {
            throw new UncheckedIOException("perf left no report", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while perf ended", e);
        } finally {
            perf.destroyForcibly();
        }
    }

    /**
     * Reads perf's list of counts: the others' waits and wakes, and the driver's calls that woke somebody.
     *
     * @throws IllegalStateException if it is something else; the message holds it
     */
    static Calls parse(List<String> lines) {
        List<Long> counts = lines.stream()
                .filter(line -> line.contains(EVENT) || line.contains(RETURN))
                .map(line -> line.substring(0, line.indexOf(',')))
                .map(count -> count.startsWith("<") ? 0 : Long.parseLong(count)) // "<not counted>": there were none
                .toList();
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
