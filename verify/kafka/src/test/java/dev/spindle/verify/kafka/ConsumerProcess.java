// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.kafka;

import dev.spindle.kafka.testkit.CheckingInterceptor;
import dev.spindle.kafka.testkit.JournalCheck;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A process with consumers, {@link ConsumerMain}, as its parent sees it. Not thread-safe, except for the reader. */
final class ConsumerProcess implements AutoCloseable {
    /** The longest wait for a line; the start of a JVM takes long on a busy machine. */
    private static final long ANSWER_SECONDS = 240;

    private final String name;
    private final Path journal;
    private final Process process;
    private final BufferedWriter commands;
    private final SortedSet<String> members = new TreeSet<>();
    /** The number of lines before each member was closed last: a name can be used again. */
    private final Map<String, Integer> closes = new HashMap<>();

    // Guarded by itself, which is notified of each line.
    private final List<String> lines = new ArrayList<>();

    private ConsumerProcess(String name, Path journal, Process process) {
        this.name = name;
        this.journal = journal;
        this.process = process;
        commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        Thread reader = new Thread(this::read, name);
        reader.setDaemon(true);
        reader.start();
    }

    static ConsumerProcess start(Path directory, String name, Map<String, ?> properties, String... jvmArguments) {
        Path journal = directory.resolve(name + JournalCheck.SUFFIX);
        List<String> settings = new ArrayList<>(List.of(CheckingInterceptor.JOURNAL + "=" + journal));
        properties.forEach((key, value) -> settings.add(key + "=" + value));
        List<String> command = new ArrayList<>();
        command.add(Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java")
                .toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m"));
        command.addAll(List.of(jvmArguments));
        String classPath = classPath();
        Path file = directory.resolve(name + ".properties");
        command.addAll(List.of("-cp", classPath, ConsumerMain.class.getName(), file.toString()));
        try {
            Files.write(file, settings);
            return new ConsumerProcess(
                    name,
                    journal,
                    new ProcessBuilder(command)
                            .redirectError(directory.resolve(name + ".err").toFile())
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String classPath() {
        String ofTests = System.getProperty("surefire.test.class.path");
        return ofTests == null ? Objects.requireNonNull(System.getProperty("java.class.path")) : ofTests;
    }

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                    lines.notifyAll();
                }
            }
        } catch (IOException e) {
            // the process has been killed
        }
    }

    String name() {
        return name;
    }

    Path journal() {
        return journal;
    }

    /** Returns the members that were opened and not closed. */
    SortedSet<String> members() {
        return members;
    }

    /** Opens a member, and waits until its consumer has been made. */
    void open(String member) throws InterruptedException {
        members.add(member);
        int from = lines().size();
        command("open " + member);
        await(from, line -> line.equals("opened " + member));
    }

    /** Begins to close a member. */
    void close(String member) {
        members.remove(member);
        closes.put(member, lines().size());
        command("close " + member);
    }

    /** Waits until a member that was closed has left. */
    void awaitClosed(String member) throws InterruptedException {
        await(closes.getOrDefault(member, 0), line -> line.startsWith("closed " + member + " "));
    }

    private void command(String line) {
        try {
            commands.write(line + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("process " + name + " does not take '" + line + "'", e);
        }
    }

    private void await(int from, Predicate<String> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
        synchronized (lines) {
            while (lines.stream().skip(from).noneMatch(wanted)) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || !process.isAlive()) {
                    throw new IllegalStateException("process " + name + " did not answer in time: " + lines);
                }
                lines.wait(Math.min(left, 100));
            }
        }
    }

    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** Returns what members said when they died. */
    List<String> deaths() {
        return lines().stream().filter(line -> line.startsWith("died ")).toList();
    }

    /** Ends the process at once, and returns the time before. */
    long kill() throws InterruptedException {
        long now = System.nanoTime();
        process.destroyForcibly().waitFor();
        members.clear();
        return now;
    }

    /** Freezes the process, and returns a time at which it is frozen. */
    long freeze() throws IOException, InterruptedException {
        signal("-STOP");
        return System.nanoTime();
    }

    void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IllegalStateException("kill " + signal + " of process " + name + " failed");
        }
    }

    /** Ends the process at once. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
