// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import dev.spindle.gateway.config.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** {@code spindle gateway} in a process of its own, with limits of the system or of the JVM. It ends within 90 s. */
final class GatewayProcess implements AutoCloseable {
    final Process process;
    private final BufferedReader lines;
    private final List<String> read = new ArrayList<>();
    private final Address address;

    /**
     * Starts a gateway.
     *
     * @param limits shell commands that run before it, such as {@code ulimit -n 140}
     * @param options options of the JVM
     */
    GatewayProcess(Path directory, String limits, List<String> options, String configuration) throws IOException {
        this(directory, limits, Objects.requireNonNull(System.getProperty("java.class.path")), options, configuration);
    }

    /** Starts a gateway that has the classes of {@code classPath}. */
    GatewayProcess(Path directory, String limits, String classPath, List<String> options, String configuration)
            throws IOException {
        Path file = Files.writeString(Files.createTempFile(directory, "gateway", ".yaml"), configuration);
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                limits + "; exec \"$@\"",
                "gateway",
                Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java")
                        .toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath));
        command.addAll(options);
        command.addAll(List.of("dev.spindle.gateway.command.Main", "gateway", "--routes", file.toString()));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CompletableFuture.delayedExecutor(90, TimeUnit.SECONDS).execute(process::destroyForcibly);
        lines = process.inputReader();
        String at = line(line -> line.startsWith("gateway: listening at "));
        address = new Address("127.0.0.1", Integer.parseInt(at.substring(at.lastIndexOf(':') + 1)));
    }

    Address address() {
        return address;
    }

    /** Reads lines until one matches, and returns that. */
    String line(Predicate<String> wanted) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            read.add(line);
            if (wanted.test(line)) {
                return line;
            }
        }
        throw new AssertionError("the process ended after " + read);
    }

    /** Returns how many file descriptors the process has open, as Linux reports it. */
    int fileDescriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            return (int) open.count();
        }
    }

    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (kill.waitFor() != 0) {
            throw new IOException("no signal " + name);
        }
    }

    /** Tells the process to end, and returns all lines that it wrote. */
    List<String> end() throws IOException, InterruptedException {
        signal("TERM");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            read.add(line);
        }
        return read;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
