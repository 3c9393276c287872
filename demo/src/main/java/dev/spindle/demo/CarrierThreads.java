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
 * The platform threads that carry virtual threads. The JVM creates these threads. The threads are found by their names
 * in {@code /proc}, on Linux only. Linux truncates long names.
 */
final class CarrierThreads {

    private static final Path TASKS = Path.of("/proc/self/task");
    private static final Pattern CARRIER = Pattern.compile("ForkJoi.*[-0-9]");
    /** The names of the carriers and of the threads that unpark virtual threads. */
    private static final Pattern ALL = Pattern.compile("ForkJoi.*|Virtual.*");

    private final Map<Path, Long> before;

    private CarrierThreads(Map<Path, Long> before) {
        this.before = before;
    }

    /** Returns an instance that counts context switches from this call on. */
    static CarrierThreads fromNow() {
        return new CarrierThreads(switchesOf(ALL));
    }

    /** Returns the number of live carriers, or 0 if the system does not report them. */
    int count() {
        return switchesOf(CARRIER).size();
    }

    /** Returns the context switches of the threads since {@link #fromNow}. */
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
            // The system does not report the threads, or a thread has ended.
        }
        return switches;
    }

    private static String nameOf(Path task) {
        try {
            return Files.readString(task.resolve("comm")).trim();
        } catch (IOException e) {
            return ""; // the thread has ended
        }
    }
}
