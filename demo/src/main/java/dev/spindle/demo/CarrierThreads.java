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
 * The platform threads on which the JVM runs virtual ones. The JVM creates them itself, so they are found by their
 * names in the system, and only on Linux. The system cuts long names at the end or in the middle.
 */
final class CarrierThreads {

    private static final Path TASKS = Path.of("/proc/self/task");
    private static final Pattern CARRIER = Pattern.compile("ForkJoi.*[-0-9]");
    /** The names of carriers, and of the threads that wake virtual threads. */
    private static final Pattern ALL = Pattern.compile("ForkJoi.*|Virtual.*");

    private final Map<Path, Long> before;

    private CarrierThreads(Map<Path, Long> before) {
        this.before = before;
    }

    /** Returns an account that starts now. */
    static CarrierThreads fromNow() {
        return new CarrierThreads(switchesOf(ALL));
    }

    /** Returns the number of carriers, as far as the system reports them. */
    int count() {
        return switchesOf(CARRIER).size();
    }

    /**
     * Returns the context switches of the carriers and of the threads that wake virtual threads, since the start of the
     * account.
     */
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
            // The system does not report the threads, or not all of them.
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
