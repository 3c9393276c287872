// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A consumer process, {@link FlightConsumer}, as the demo sees it. Thread-safe. */
final class Worker implements AutoCloseable {
    private static final long STOP_SECONDS = 30;

    /** The condition of a process. */
    enum Condition {
        RUNS,
        KILLED,
        STOPPED,
        DIED
    }

    private final int number;
    private final Process process;
    private volatile Condition condition = Condition.RUNS;
    private volatile long handled;
    private volatile long repeated;
    private volatile int partitions;
    private volatile String end = "";

    private Worker(int number, Process process) {
        this.number = number;
        this.process = process;
        Thread reader = new Thread(this::read, "worker-" + number);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a process with the arguments of {@link FlightConsumer}. */
    static Worker start(int number, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java")
                        .toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                FlightConsumer.class.getName()));
        command.addAll(arguments);
        try {
            return new Worker(
                    number,
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
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
                String[] words = line.split(" ", -1);
                switch (words[0]) {
                    case "p" -> {
                        handled = Long.parseLong(words[1]);
                        repeated = Long.parseLong(words[2]);
                        partitions = Integer.parseInt(words[3]);
                    }
                    case "died" -> {
                        condition = Condition.DIED;
                        end = line;
                    }
                    default -> end = line;
                }
            }
        } catch (IOException e) {
            // the process has been killed
        }
        partitions = 0;
        if (condition == Condition.RUNS) {
            condition = Condition.DIED;
        }
    }

    int number() {
        return number;
    }

    Condition condition() {
        return condition;
    }

    boolean runs() {
        return condition == Condition.RUNS;
    }

    long handled() {
        return handled;
    }

    long repeated() {
        return repeated;
    }

    int partitions() {
        return partitions;
    }

    /** Returns the last words of the process: its report, or the cause of its death. */
    String end() {
        return end;
    }

    long pid() {
        return process.pid();
    }

    /** Ends the process as {@code kill -9} does. */
    void kill() {
        condition = Condition.KILLED;
        process.destroyForcibly();
    }

    /** Lets the process leave the group in order, without waiting for it. */
    void stop() {
        condition = Condition.STOPPED;
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the process if it runs, and waits for its end. */
    @Override
    public void close() {
        try {
            if (runs()) {
                stop();
            }
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
