// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An {@link Application} in a process of its own. */
final class ApplicationProcess implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile(Application.LISTENS + "(\\d+)");
    private static final Duration LONG = Duration.ofMinutes(2);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process process;
    private final Path output;
    private final int port;

    private ApplicationProcess(Process process, Path output) throws Exception {
        this.process = process;
        this.output = output;
        port = awaitPort();
    }

    /** Starts the application, and returns when it listens. */
    static ApplicationProcess start(Path folder, List<String> options, String... properties) throws Exception {
        Path output = folder.resolve("output.txt");
        return new ApplicationProcess(launch(output, options, properties), output);
    }

    /** Starts an application that must be refused, and returns what it prints. */
    static String refused(Path folder, String... properties) throws Exception {
        Path output = folder.resolve("refused.txt");
        Process process = launch(output, List.of(), properties);
        boolean ended = process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS);
        process.destroyForcibly();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(ended).as("%s", text).isTrue();
        assertThat(process.exitValue()).as("%s", text).isEqualTo(1);
        return text;
    }

    private static Process launch(Path output, List<String> options, String... properties) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java")
                .toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(options);
        command.addAll(
                List.of("-cp", requireNonNull(System.getProperty("java.class.path")), Application.class.getName()));
        command.addAll(List.of("--server.port=0", "--spring.main.banner-mode=off"));
        for (String property : properties) {
            command.add("--" + property);
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private int awaitPort() throws Exception {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < LONG.toNanos()) {
            Matcher listens = PORT.matcher(output());
            if (listens.find()) {
                return Integer.parseInt(requireNonNull(listens.group(1)));
            }
            if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        process.destroyForcibly();
        throw new IllegalStateException("the application does not listen: " + output());
    }

    /** Returns what the application has printed. */
    String output() throws IOException {
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    /** Returns the answer to a GET. */
    String get(String path) throws Exception {
        return send(request(path).GET().build());
    }

    /** Returns the answer to a POST. */
    String post(String path) throws Exception {
        return send(request(path).POST(BodyPublishers.noBody()).build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(LONG);
    }

    private String send(HttpRequest request) throws Exception {
        return client.send(request, BodyHandlers.ofString()).body();
    }

    /** Ends the process as a platform does, by SIGTERM, and returns how long it took. */
    Duration terminate() throws Exception {
        long begin = System.nanoTime();
        process.destroy();
        assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
                .as("the process ends")
                .isTrue();
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
