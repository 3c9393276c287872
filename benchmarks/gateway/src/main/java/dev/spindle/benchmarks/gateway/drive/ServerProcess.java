// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.forks.ForkedJvm;
import dev.spindle.benchmarks.gateway.servers.ServerMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A {@link ServerMain} in a process of its own, which ends when this one closes it or ends itself. One thread uses it.
 */
public final class ServerProcess implements AutoCloseable {
    private static final int JAVA_THAT_WARNS = 24;

    private final ServerMain.Kind kind;
    private final Path folder;
    private final Process process;
    private final BufferedReader lines;
    private final List<Integer> ports;

    private ServerProcess(ServerMain.Kind kind, List<String> prefix, List<String> jvm, List<String> arguments) {
        this.kind = kind;
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
        lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String ready = await(ServerMain.READY);
        ports = ready.isEmpty()
                ? List.of()
                : Arrays.stream(ready.split(",", -1)).map(Integer::valueOf).toList();
    }

    /** Starts a gateway, all with the same heap, the same collector and as many threads of the JVM's own. */
    public static ServerProcess gateway(ServerMain.Kind kind, List<String> prefix, List<String> arguments) {
        List<String> jvm = new ArrayList<>(List.of(
                "-Xms1g",
                "-Xmx1g",
                "-XX:+UseParallelGC",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-XX:-UseDynamicNumberOfGCThreads"));
        jvm.addAll(quiet());
        return new ServerProcess(kind, prefix, jvm, arguments);
    }

    /** Starts the echo server. */
    public static ServerProcess echo() {
        List<String> jvm = new ArrayList<>(List.of("-Xmx256m", "-XX:+UseSerialGC"));
        jvm.addAll(quiet());
        return new ServerProcess(ServerMain.Kind.ECHO, List.of(), jvm, List.of());
    }

    private static List<String> quiet() {
        return Runtime.version().feature() < JAVA_THAT_WARNS
                ? List.of()
                : List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED");
    }

    public long pid() {
        return process.pid();
    }

    public List<Integer> ports() {
        return ports;
    }

    /** Sends a line and returns the answer. */
    public String ask(String line) {
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
            for (String name : List.of("class-path", "log")) {
                Files.deleteIfExists(folder.resolve(name));
            }
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
        String log;
        try {
            log = Files.readString(folder.resolve("log")).strip();
        } catch (IOException e) {
            log = "";
        }
        return kind + " ended" + (log.isEmpty() ? "" : ": " + log.substring(0, Math.min(2_000, log.length())));
    }
}
