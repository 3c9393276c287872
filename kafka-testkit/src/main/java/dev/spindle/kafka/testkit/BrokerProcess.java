// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Starts the JVMs of a broker, and finds ports and directories for it. */
final class BrokerProcess {
    /**
     * The range of the ports. It is below the ports that Linux gives to clients: a client that tries to connect to one
     * of those, at which no broker listens, can be connected to itself, and then holds the port. Not measured.
     */
    private static final int FIRST_PORT = 15_000;

    /** The end of the range. Not measured. */
    private static final int LAST_PORT = 32_000;

    private static final int TRIES = 1 << 10;

    private BrokerProcess() {}

    /** Returns the class path of this JVM, in which a test runner may have put its own jar in place of the tests'. */
    static String ownClassPath() {
        String ofTests = System.getProperty("surefire.test.class.path");
        return ofTests == null ? Objects.requireNonNull(System.getProperty("java.class.path")) : ofTests;
    }

    static int freePort() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException e) {
                // in use: the next one
            }
        }
        throw new IllegalStateException("no free port from " + FIRST_PORT + " to " + LAST_PORT + " on loopback");
    }

    static Path newDirectory() {
        try {
            return Files.createTempDirectory("kafka-testkit-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Path file, Map<String, String> properties) {
        List<String> lines = new ArrayList<>();
        properties.forEach((name, value) -> lines.add(name + "=" + value.replace("\\", "\\\\")));
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a broker, in a directory that is prepared for {@code cluster} first, if this is not null. */
    static Process broker(
            Path directory,
            String classPath,
            List<String> jvmArguments,
            Path properties,
            @Nullable String cluster,
            Path log) {
        List<String> command = java(directory, classPath, jvmArguments);
        command.addAll(List.of(BrokerMain.class.getName(), properties.toString()));
        if (cluster != null) {
            command.add(cluster);
        }
        return start(command, log);
    }

    /** Returns the launcher of this JVM. */
    static String javaCommand() {
        return Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java")
                .toString();
    }

    private static List<String> java(Path directory, String classPath, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(javaCommand());
        command.addAll(arguments);
        // A file, since a class path can be longer than an argument may be.
        Path file = directory.resolve("class-path");
        try {
            Files.writeString(file, "-cp \"" + classPath.replace("\\", "\\\\") + "\"\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        command.add("@" + file);
        return command;
    }

    private static Process start(List<String> command, Path log) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the end of a log, for messages. */
    static String tail(Path log) {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            return lines.isEmpty()
                    ? log + " is empty: an SLF4J provider on the class path would tell more"
                    : "the end of " + log + ":\n"
                            + String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                        throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
