// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.compare.ForkedJvm;
import dev.spindle.benchmarks.gateway.servers.ServerMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A {@link ServerMain} in a process of its own, which ends when this object is closed, or before. One thread uses it.
 */
final class ServerProcess implements AutoCloseable {
    private static final int JAVA_THAT_WARNS = 24;
    /**
     * The JVM options, which give all gateways the same heap, the same collector and the same number of JVM threads.
     */
    private static final List<String> GATEWAY = List.of(
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseParallelGC",
            "-XX:-UseDynamicNumberOfCompilerThreads",
            "-XX:-UseDynamicNumberOfGCThreads");

    private final ServerMain.Kind kind;
    private final Path folder;
    private final Process process;
    private final BufferedReader lines;
    private final List<Integer> ports;

    private ServerProcess(ServerMain.Kind kind, List<String> prefix, List<String> options, List<String> arguments) {
        this.kind = kind;
        List<String> jvm = new ArrayList<>(options);
        if (Runtime.version().feature() >= JAVA_THAT_WARNS) {
            jvm.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        try {
            folder = Files.createTempDirectory("spindle-bench-server");
            List<String> all = new ArrayList<>(List.of(kind.name()));
            all.addAll(arguments);
            List<String> command = new ArrayList<>(prefix);
            command.addAll(ForkedJvm.command(folder.resolve("class-path"), ServerMain.class, jvm, all));
            process = new ProcessBuilder(command)
                    .redirectError(folder.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + kind, e);
        }
        lines = process.inputReader(StandardCharsets.UTF_8);
        String ready = await(ServerMain.READY);
        ports = ready.isEmpty()
                ? List.of()
                : Arrays.stream(ready.split(",", -1)).map(Integer::valueOf).toList();
    }

    static ServerProcess gateway(ServerMain.Kind kind, List<String> prefix, List<String> arguments) {
        return new ServerProcess(kind, prefix, GATEWAY, arguments);
    }

    static ServerProcess echo() {
        return new ServerProcess(ServerMain.Kind.ECHO, List.of(), List.of("-Xmx256m", "-XX:+UseSerialGC"), List.of());
    }

    long pid() {
        return process.pid();
    }

    List<Integer> ports() {
        return ports;
    }

    /** Sends a line and returns the answer. */
    String ask(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(problem(), e);
        }
        return await(ServerMain.ANSWER);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
            Files.deleteIfExists(folder.resolve("class-path"));
            Files.deleteIfExists(folder.resolve("log"));
            Files.deleteIfExists(folder);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String await(String mark) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(mark)) {
                    return line.substring(mark.length());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(problem(), e);
        }
        throw new IllegalStateException(problem());
    }

    private String problem() {
        try {
            String log = Files.readString(folder.resolve("log")).strip();
            return kind + " ended: " + log.substring(0, Math.min(2_000, log.length()));
        } catch (IOException e) {
            return kind + " ended";
        }
    }
}
