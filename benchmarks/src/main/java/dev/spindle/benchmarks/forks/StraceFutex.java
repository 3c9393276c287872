// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts a forked JVM's futex calls in a log of {@code strace}, which the fork runs under. The fork marks where to begin and
 * to end by looking for files that do not exist.
 */
public final class StraceFutex {
    private static final String BEGIN = "/spindle-bench-futex-begin";
    private static final String END = "/spindle-bench-futex-end";
    private static final Pattern CALL = Pattern.compile("^(\\d+) +futex\\([^,]*, FUTEX_(WAIT|WAKE)");

    private static final Pattern WOKE = Pattern.compile("= [1-9]\\d*$");

    private StraceFutex() {}

    /** What to put before the command of the fork. */
    public static List<String> prefix(Path log) {
        return List.of("strace", "-f", "-q", "-o", log.toString(), "-e", "trace=futex,file");
    }

    /** To be called in the fork, by the thread that drives the measurement. */
    public static void begin() {
        mark(BEGIN);
    }

    public static void end() {
        mark(END);
    }

    private static void mark(String name) {
        if (Files.exists(Path.of(name))) {
            throw new IllegalStateException("there is a file " + name + ", whose name was to be unique");
        }
    }

    /**
     * The calls between the marks. Those that a thread began and had to go on with later count once.
     *
     * @throws IllegalStateException if a mark is missing
     */
    public static FutexCalls parse(List<String> log) {
        boolean driverWakes = false;
        long waits = 0;
        long wakes = 0;
        String driver = "";
        boolean ended = false;
        for (String line : log) {
            if (driver.isEmpty()) {
                driver = line.contains(BEGIN) ? line.substring(0, line.indexOf(' ')) : "";
            } else if (line.contains(END)) {
                ended = true;
                break;
            }
            Matcher call = CALL.matcher(line);
            if (!driver.isEmpty() && call.find()) {
                boolean wake = "WAKE".equals(call.group(2));
                if (driver.equals(call.group(1))) {
                    driverWakes = wake;
                } else if (wake) {
                    wakes++;
                } else {
                    waits++;
                }
            }
            if (driverWakes
                    && line.startsWith(driver + " ")
                    && WOKE.matcher(line).find()) {
                wakes++;
                driverWakes = false;
            }
        }
        if (!ended) {
            throw new IllegalStateException("no begin and end in the log of strace, of " + log.size() + " lines");
        }
        return new FutexCalls(waits, wakes);
    }
}
