// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A PostgreSQL server of the machine's own package, with its data in a folder of the test. It refuses to run as root,
 * so that root starts it as the user that the package has made.
 */
final class PostgresServer implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final String USER = "postgres";
    private static final long LIMIT_SECONDS = 30;

    private final Process process;
    private final String url;

    private PostgresServer(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Returns the folder of the server's programs, or nothing if there is none. */
    static Optional<Path> programs() throws IOException {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> versions = Files.newDirectoryStream(INSTALLED)) {
            for (Path version : versions) {
                if (Files.isExecutable(version.resolve("bin/initdb"))) {
                    return Optional.of(version.resolve("bin"));
                }
            }
        }
        return Optional.empty();
    }

    static PostgresServer start(Path programs, Path folder) throws IOException, InterruptedException {
        boolean root = "root".equals(System.getProperty("user.name"));
        if (root) {
            UserPrincipal owner =
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER);
            Files.setOwner(folder, owner);
        }
        Path data = folder.resolve("data");
        Process made = process(
                folder,
                root,
                List.of(programs.resolve("initdb"), "-D", data, "-A", "trust", "-U", USER, "--no-sync", "-E", "UTF8"));
        if (!made.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || made.exitValue() != 0) {
            made.destroyForcibly();
            throw new IOException("initdb: " + log(folder));
        }
        int port = freePort();
        Process process = process(
                folder,
                root,
                List.of(
                        programs.resolve("postgres"),
                        "-D",
                        data,
                        "-p",
                        port,
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=off"));
        PostgresServer server = new PostgresServer(process, "jdbc:postgresql://127.0.0.1:" + port + "/postgres");
        try {
            server.awaitReady(folder);
        } catch (IOException | RuntimeException failure) {
            server.close();
            throw failure;
        }
        return server;
    }

    String url() {
        return url + "?user=" + USER;
    }

    @Override
    public void close() {
        process.destroy(); // the signal for a stop that breaks connections off is another
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitReady(Path folder) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (process.isAlive() && System.nanoTime() < end) {
            try {
                DriverManager.getConnection(url()).close();
                return;
            } catch (SQLException notYet) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
        throw new IOException("the server is not ready: " + log(folder));
    }

    private static Process process(Path folder, boolean root, List<Object> command) throws IOException {
        List<String> all = new ArrayList<>(root ? List.of("runuser", "-u", USER, "--") : List.of());
        command.forEach(word -> all.add(word.toString()));
        return new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("log.txt").toFile()))
                .start();
    }

    private static String log(Path folder) throws IOException {
        return Files.readString(folder.resolve("log.txt"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
