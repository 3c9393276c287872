// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts JVMs like this one: the same binary and class path, with a heap and a collector of their own. */
public final class ForkedJvm {
    /** The options of JVMs whose figures are compared, without their collector. */
    static final List<String> COMPARISON = List.of(
            "-Xms2g",
            "-Xmx2g",
            // All threads of the JVM start with it, so that none counts as a contender's.
            "-XX:-UseDynamicNumberOfCompilerThreads",
            "-XX:-UseDynamicNumberOfGCThreads");

    private static final int TAIL = 5;

    private ForkedJvm() {}

    /** Returns the folder or the archive that contains a class. */
    public static Path placeOf(Class<?> type) {
        CodeSource source = requireNonNull(type.getProtectionDomain().getCodeSource(), "source");
        return Path.of(
                URI.create(requireNonNull(source.getLocation(), "location").toString()));
    }

    /** The output of a forked JVM and its end. */
    public record Output(List<String> lines, int exit, Optional<Duration> endedAfter) {
        /** Returns the rest of the last line that begins with {@code mark}. */
        public Optional<String> line(String mark) {
            return lines.stream()
                    .filter(line -> line.startsWith(mark))
                    .map(line -> line.substring(mark.length()))
                    .reduce((first, last) -> last);
        }

        public String problem() {
            String how = endedAfter
                    .map(limit -> "ended after " + limit.toSeconds() + " s")
                    .orElse("exit code " + exit);
            List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
            return how + (tail.isEmpty() ? "" : ": " + String.join(" / ", tail));
        }
    }

    /**
     * Runs a main class in a JVM of its own and waits for its end.
     *
     * @param prefix a command that runs the command after it; empty for none
     */
    public static Output start(
            List<String> prefix, Class<?> main, List<String> jvmArguments, List<String> arguments, Duration limit)
            throws IOException, InterruptedException {
        return start(prefix, property("java.class.path"), main, jvmArguments, arguments, limit);
    }

    /** Runs a main class with its own class path, on which the time to find a class depends. */
    public static Output start(
            List<String> prefix,
            String path,
            Class<?> main,
            List<String> jvmArguments,
            List<String> arguments,
            Duration limit)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("spindle-bench");
        Path log = folder.resolve("log");
        Path classPath = folder.resolve("class-path");
        try {
            List<String> command = new ArrayList<>(prefix);
            command.addAll(command(classPath, path, main, jvmArguments, arguments));
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

    /**
     * Returns the command that runs a main class in a JVM like this one.
     *
     * @param classPath a file to which the class path is written and which must exist while the JVM starts: it may be
     *     too long for a command
     */
    public static List<String> command(Path classPath, Class<?> main, List<String> jvmArguments, List<String> arguments)
            throws IOException {
        return command(classPath, property("java.class.path"), main, jvmArguments, arguments);
    }

    private static List<String> command(
            Path classPath, String path, Class<?> main, List<String> jvmArguments, List<String> arguments)
            throws IOException {
        Files.writeString(classPath, "-cp \"" + path.replace("\\", "\\\\") + "\"");
        List<String> command = new ArrayList<>();
        command.add(Path.of(property("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.add("@" + classPath);
        command.add(main.getName());
        command.addAll(arguments);
        return command;
    }

    private static Output await(Process process, Path log, Duration limit) throws IOException, InterruptedException {
        // Neither an interrupt nor the end of this JVM leaves a fork behind.
        Thread hook = new Thread(() -> end(process), "end-of-fork");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                end(process);
                process.waitFor();
            }
            try (Stream<String> lines = Files.lines(log)) {
                return new Output(lines.toList(), process.exitValue(), ended ? Optional.empty() : Optional.of(limit));
            }
        } finally {
            end(process);
            forget(hook);
        }
    }

    /** Ends a process and those that it started, such as the JVM after a prefix. */
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException thisJvmIsEnding) {
            // This JVM is ending, and the hook will run.
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
