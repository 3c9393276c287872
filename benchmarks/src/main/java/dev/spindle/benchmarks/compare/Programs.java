// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Starts processes: JVMs with this JVM's binary, programs in other languages, and system tools. */
public final class Programs {
    private static final int TAIL = 5;

    private Programs() {}

    public record Output(List<String> lines, int exit, Optional<Duration> endedAfter) {
        /** Returns the text after {@code mark} on the last line that begins with the mark. */
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

    /** Returns a command that runs a main class in a JVM with this JVM's binary and class path. */
    public static ProcessBuilder java(Class<?> main, List<String> jvm, List<String> arguments) {
        return java(List.of(), property("java.class.path"), main, jvm, arguments);
    }

    /**
     * Returns a command that runs a main class in a JVM with this JVM's binary.
     *
     * @param prefix a command that runs the command that follows it; empty for none
     */
    public static ProcessBuilder java(
            List<String> prefix, String classPath, Class<?> main, List<String> jvm, List<String> arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(property("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.add(main.getName());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("CLASSPATH", classPath);
        return builder;
    }

    static String property(String name) {
        return requireNonNull(System.getProperty(name), name);
    }

    /** Returns the folder or archive that contains a class. */
    public static Path placeOf(Class<?> type) {
        CodeSource source = requireNonNull(type.getProtectionDomain().getCodeSource(), "source");
        return Path.of(
                URI.create(requireNonNull(source.getLocation(), "location").toString()));
    }

    /**
     * Runs a command until it ends. The process is killed at the time limit, if the caller is interrupted, or if this
     * JVM ends.
     */
    public static Output run(ProcessBuilder command, Duration limit) throws IOException, InterruptedException {
        Process process = command.start();
        Thread hook = new Thread(() -> end(process), "end-of-process");
        Runtime.getRuntime().addShutdownHook(hook);
        Thread watch = Waits.start(
                "limit",
                () -> Waits.ignoring(() -> {
                    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                        end(process);
                    }
                }));
        long start = System.nanoTime();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            List<String> all = lines.lines().toList();
            int exit = process.waitFor();
            boolean late = exit != 0 && System.nanoTime() - start >= limit.toNanos();
            return new Output(all, exit, late ? Optional.of(limit) : Optional.empty());
        } catch (UncheckedIOException e) {
            throw new IOException("the output of " + command.command() + " cannot be read", e);
        } finally {
            watch.interrupt();
            end(process);
            forget(hook);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException thisJvmIsEnding) {
            // The hook runs, because this JVM is ending.
        }
    }

    /** Returns true if the command exists and ends with status 0 within ten seconds. */
    public static boolean succeeds(String... command) {
        try {
            return run(new ProcessBuilder(command).redirectErrorStream(true), Duration.ofSeconds(10)).exit == 0;
        } catch (IOException e) {
            return false; // the program does not exist or cannot be started
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A running program that answers lines of its standard input. This class is not thread-safe. */
    public static final class Dialogue implements AutoCloseable {
        private static final int END_SECONDS = 5;
        private final String name;
        private final Process process;
        private final PrintWriter requests;
        private final BufferedReader answers;
        private final Deque<String> last = new ArrayDeque<>();

        public Dialogue(String name, ProcessBuilder command) {
            this.name = name;
            try {
                process = command.start();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot start " + name, e);
            }
            requests = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
            answers = process.inputReader(StandardCharsets.UTF_8);
        }

        public Process process() {
            return process;
        }

        /** Sends a line, and returns the text after {@code mark} on the next line that contains the mark. */
        public String ask(String line, String mark) {
            requests.println(line);
            return read(mark);
        }

        /**
         * Returns the text after {@code mark} on the next line that contains the mark.
         *
         * @throws StalledException if the program ends first; the message contains its last lines
         */
        public String read(String mark) {
            try {
                for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                    int at = line.indexOf(mark);
                    if (at >= 0) {
                        return line.substring(at + mark.length());
                    }
                    last.add(line);
                    if (last.size() > TAIL) {
                        last.remove();
                    }
                }
            } catch (IOException e) {
                last.add(String.valueOf(e.getMessage()));
            }
            close();
            throw new StalledException(name + " ended with " + process.exitValue() + ": " + String.join(" / ", last));
        }

        /** Closes the program's input, and kills the program if it has not ended after five seconds. */
        @Override
        public void close() {
            requests.close();
            Waits.ignoring(() -> {
                if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    end(process);
                    process.waitFor();
                }
            });
        }
    }
}
