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
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running {@code perf stat} that counts from {@link #begin} to {@link #end}. Used by one thread, once. */
final class PerfStat {
    /** A line ends with it; the second one begins with the zero byte that perf sends after the first. */
    private static final String ACKNOWLEDGED = "ack";

    private static final int LIMIT_SECONDS = 10;

    private final Path report;
    private final Process perf;
    private final BufferedReader answers;

    /**
     * Starts it; counts nothing yet.
     *
     * @param what the events, and where to count them
     */
    PerfStat(List<String> what) {
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
        answers = new BufferedReader(new InputStreamReader(perf.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Counts from now on. */
    void begin() {
        tell("enable");
    }

    /** Counts no more, and detaches; returns the lines of the report. */
    List<String> end() {
        tell("disable");
        try {
            if (!Programs.succeeds("kill", "-INT", Long.toString(perf.pid()))
                    || !perf.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("perf does not end");
            }
            List<String> lines = Files.readAllLines(report);
            Files.delete(report);
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException("perf left no report", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while perf ended", e);
        } finally {
            perf.destroyForcibly();
        }
    }

    /** The counts of the events that any of the names is part of, in the order of the lines. */
    static List<Long> counts(List<String> lines, String... events) {
        return lines.stream()
                .filter(line -> List.of(events).stream().anyMatch(line::contains))
                .map(line -> line.substring(0, line.indexOf(',')))
                .map(count -> count.startsWith("<") ? 0 : Long.parseLong(count)) // "<not counted>": there were none
                .toList();
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
