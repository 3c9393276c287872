// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command line of the gateway, as a person uses it. */
@Timeout(90)
class GatewayCommandTest {
    private static final String FILE = """
            listen: 127.0.0.1:0
            threads: 1
            drain: {notice: 0ms, limit: 5s}
            backends:
              a: {url: http://127.0.0.1:1, connect-time: 1s}
            routes:
              - {path: /old, proxy: a}
            """;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void gateway_withoutAFile_isRefused() {
        assertThat(run("gateway", "--check")).isEqualTo(2);
        assertThat(err.toString()).contains("Missing required option: '--routes=FILE'");
    }

    @Test
    void check_ofAFile_countsBackendsAndRoutes() throws IOException {
        Path file = Files.writeString(directory.resolve("g.yaml"), FILE);

        assertThat(run("gateway", "--routes", file.toString(), "--check")).isZero();
        assertThat(out.toString()).contains(file + " is right: 1 backends, 1 routes");
    }

    @Test
    void check_ofAFileWithAMistake_namesThePlaceAndEndsWith2() throws IOException {
        Path file = Files.writeString(directory.resolve("g.yaml"), FILE.replace("proxy: a", "proxy: b"));

        assertThat(run("gateway", "--routes", file.toString(), "--check")).isEqualTo(2);
        assertThat(err.toString()).contains(file + ":7:25: there is no backend named 'b'");
    }

    @Test
    void routes_ofAFileThatIsNotThere_isNamed() {
        assertThat(run("gateway", "--routes", "/no/such/file", "--check")).isEqualTo(2);
        assertThat(err.toString()).contains("there is no file /no/such/file");
    }

    /** In a process of its own, for signals and the exit status. */
    @Test
    void h6_sigterm_drainsAndEndsWith0AndHupReadsTheFileAgain() throws Exception {
        Path file = Files.writeString(directory.resolve("g.yaml"), FILE);
        Process process = new ProcessBuilder(
                        "env",
                        "--default-signal=HUP", // nohup makes it ignored, and a JVM leaves that so
                        Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java")
                                .toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dio.netty.transport.noNative=true", // NIO, where the other tests have epoll
                        "-cp",
                        Objects.requireNonNull(System.getProperty("java.class.path")),
                        Main.class.getName(),
                        "gateway",
                        "--no-watch",
                        "--routes",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS).execute(process::destroyForcibly);
        try (BufferedReader lines = process.inputReader()) {
            assertThat(await(lines, "gateway: sockets are served by ")).isEqualTo("NIO");
            String url = "http://" + await(lines, "gateway: listening at ");
            assertThat(status(url + "/old")).isEqualTo(502);
            assertThat(status(url + "/new")).isEqualTo(404);
            Files.writeString(file, FILE.replace("/old", "/new"));
            signal(process, "HUP");
            await(lines, "gateway: took 1 backends and 1 routes");
            assertThat(status(url + "/new")).isEqualTo(502);
            Files.writeString(file, "nonsense: 1");
            signal(process, "HUP");
            await(lines, "gateway: going on with the old routes");
            assertThat(status(url + "/new")).isEqualTo(502);
            assertReadWhole(process, file, lines);
            signal(process, "TERM");
            await(lines, "gateway: ended, 0 requests cut off");
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Each beginning of the file is a file without mistakes, and writing takes longer than the pause between looks. */
    private static void assertReadWhole(Process process, Path file, BufferedReader lines) throws Exception {
        int parts = 40;
        String whole = (parts + 1) + " routes";
        long longest = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5 && longest >= 90_000_000; attempt++) {
            Files.writeString(file, FILE);
            signal(process, "HUP");
            longest = 0;
            for (int i = 0; i < parts; i++) {
                long begin = System.nanoTime();
                LockSupport.parkNanos(40_000_000);
                Files.writeString(file, "  - {path: /p" + i + ", proxy: a}\n", StandardOpenOption.APPEND);
                longest = Math.max(longest, System.nanoTime() - begin);
            }
            String took = await(lines, "gateway: took 1 backends and ");
            if (longest < 90_000_000) {
                assertThat(took).startsWith(whole);
            }
            for (; !took.startsWith(whole); took = await(lines, "gateway: took 1 backends and ")) {
                signal(process, "HUP");
            }
        }
    }

    private static String await(BufferedReader lines, String begin) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(begin)) {
                return line.substring(begin.length());
            }
        }
        throw new AssertionError("the process ended before it said '" + begin + "'");
    }

    private static int status(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }
}
