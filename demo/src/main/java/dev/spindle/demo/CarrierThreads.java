// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The platform threads on which the JVM runs virtual ones. It makes them itself, so they are found by the names that
 * the system knows them by, and only on Linux; a long name is cut at its end, or loses its middle.
 */
final class CarrierThreads {

    private static final Path TASKS = Path.of("/proc/self/task");
    private static final Pattern CARRIER = Pattern.compile("ForkJoi.*[-0-9]");
    /** The carriers, and the threads that end the sleep of virtual ones. */
    private static final Pattern ALL = Pattern.compile("ForkJoi.*|Virtual.*");

    private final Map<Path, Long> before;

    private CarrierThreads(Map<Path, Long> before) {
        this.before = before;
    }

    /** An account that begins now. */
    static CarrierThreads fromNow() {
        return new CarrierThreads(switchesOf(ALL));
    }

    /** How many carriers there are, as far as the system tells. */
    int count() {
        return switchesOf(CARRIER).size();
    }

    /** Their context switches, and those of the threads that wake them, since the account began. */
    long switches() {
        long sum = 0;
        for (Map.Entry<Path, Long> task : switchesOf(ALL).entrySet()) {
            sum += Math.max(0, task.getValue() - before.getOrDefault(task.getKey(), 0L));
        }
        return sum;
    }

    private static Map<Path, Long> switchesOf(Pattern name) {
        Map<Path, Long> switches = new HashMap<>();
        try (Stream<Path> tasks = Files.list(TASKS)) {
            tasks.filter(task -> name.matcher(nameOf(task)).matches())
                    .forEach(task -> switches.put(task, Math.max(0, ContextSwitches.of(task))));
        } catch (IOException | UncheckedIOException e) {
            // The system does not tell, or not of all.
        }
        return switches;
    }

    private static String nameOf(Path task) {
        try {
            return Files.readString(task.resolve("comm")).trim();
        } catch (IOException e) {
            return ""; // it has ended
        }
    }
}
