// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts JVMs like this one: the same binary and the same class path, with a heap and a collector of their own. */
final class ForkRunner {
    private static final List<String> COMPARISON = List.of(
            "-Xms2g",
            "-Xmx2g",
            "-XX:+UseParallelGC",
            // The JVM's own threads all start with it, and are then not taken for a contender's.
            "-XX:-UseDynamicNumberOfCompilerThreads",
            "-XX:-UseDynamicNumberOfGCThreads");
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int TAIL = 5;

    private final double scale;

    /** @param scale the factor by which each fork scales its cell: 1 for the real thing */
    ForkRunner(double scale) {
        this.scale = scale;
    }

    ForkResult run(Plan.Fork fork) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                fork.cell().name(), fork.contender().id(), Double.toString(scale), Integer.toString(fork.round()));
        Output output = start(KeyedFork.class, COMPARISON, arguments, LIMIT);
        Optional<String> measured = output.line(KeyedFork.RESULT);
        if (measured.isPresent()) {
            return ForkResult.measured(fork, Measurement.decode(measured.get()));
        }
        Optional<String> stalled = output.line(KeyedFork.STALLED);
        return ForkResult.failed(fork, stalled.isPresent() ? "stalled: " + stalled.get() : output.problem());
    }

    /** What a forked JVM printed, and how it ended. */
    record Output(List<String> lines, int exit, boolean timedOut) {
        /** The rest of the last line that begins with {@code mark}. */
        Optional<String> line(String mark) {
            return lines.stream()
                    .filter(line -> line.startsWith(mark))
                    .map(line -> line.substring(mark.length()))
                    .reduce((first, last) -> last);
        }

        String problem() {
            String how = timedOut ? "ended after " + LIMIT.toSeconds() + " s" : "exit code " + exit;
            List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
            return how + (tail.isEmpty() ? "" : ": " + String.join(" / ", tail));
        }
    }

    /** Runs a main class in a JVM of its own and waits for it. */
    static Output start(Class<?> main, List<String> jvmArguments, List<String> arguments, Duration limit)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("spindle-bench");
        Path log = folder.resolve("log");
        Path classPath = folder.resolve("class-path");
        Files.writeString(classPath, "-cp \"" + property("java.class.path").replace("\\", "\\\\") + "\"");
        try {
            List<String> command = new ArrayList<>();
            command.add(Path.of(property("java.home"), "bin", "java").toString());
            command.addAll(jvmArguments);
            command.add("@" + classPath);
            command.add(main.getName());
            command.addAll(arguments);
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return await(process, log, limit);
        } finally {
            Files.deleteIfExists(log);
            Files.deleteIfExists(classPath);
            Files.deleteIfExists(folder);
        }
    }

    private static Output await(Process process, Path log, Duration limit) throws IOException, InterruptedException {
        // Whoever breaks the comparison off, by an interrupt or by ending this JVM, leaves no fork behind.
        Thread hook = new Thread(process::destroyForcibly, "end-of-fork");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            try (Stream<String> lines = Files.lines(log)) {
                return new Output(lines.toList(), process.exitValue(), !ended);
            }
        } finally {
            process.destroyForcibly();
            forget(hook);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException thisJvmIsEnding) {
            // Then the hook has its use.
        }
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        if (value == null || value.isBlank()) {
            throw new IllegalStateException("this JVM has no " + name + " to give to its forks: start it with -cp");
        }
        return value;
    }
}
