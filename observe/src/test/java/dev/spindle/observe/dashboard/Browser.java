// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a browser does with a page, over real HTTP. */
final class Browser {
    /** A limit for what takes milliseconds. */
    static final Duration LONG = Duration.ofSeconds(60);

    private final URI page;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Browser(Dashboard page) {
        this.page = page.uri();
    }

    HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).GET().build());
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(page.resolve(path)).timeout(LONG);
        return headers.length == 0 ? request : request.headers(headers);
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(request + " failed", e);
        }
    }

    /** Sends a request with exactly the given lines, and returns the status line of the answer, or null if none comes.
     * */
    @Nullable
    String raw(String... lines) throws IOException {
        try (Socket socket = socket()) {
            socket.getOutputStream().write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }

    Socket socket() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), page.getPort());
        socket.setSoTimeout((int) LONG.toMillis());
        return socket;
    }

    /** Opens the stream of events. */
    Live live(String... headers) {
        try {
            HttpResponse<InputStream> answer =
                    client.send(request("/live", headers).build(), HttpResponse.BodyHandlers.ofInputStream());
            if (answer.statusCode() != 200) {
                throw new AssertionError("/live answered " + answer.statusCode());
            }
            return new Live(answer.body());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("/live failed", e);
        }
    }

    /** A stream of events. */
    static final class Live implements AutoCloseable {
        private final InputStream in;
        private final BufferedReader lines;

        Live(InputStream in) {
            this.in = in;
            lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        }

        /** Returns the data of the next event with a name, or of the next frame if {@code name} is empty; null at the
         * end. */
        @Nullable
        String next(String name) throws IOException {
            String event = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    event = line.substring("event: ".length());
                } else if (line.startsWith("data: ") && event.equals(name)) {
                    return line.substring("data: ".length());
                } else if (line.isEmpty()) {
                    event = "";
                }
            }
            return null;
        }

        /** Returns the first frame that {@code wanted} accepts. */
        String frame(Predicate<String> wanted) throws IOException {
            return event("", wanted);
        }

        /** Returns the data of the first event with a name that {@code wanted} accepts. */
        String event(String name, Predicate<String> wanted) throws IOException {
            long end = System.nanoTime() + LONG.toNanos();
            String data = next(name);
            while (data != null && !wanted.test(data) && System.nanoTime() < end) {
                data = next(name);
            }
            if (data == null || !wanted.test(data)) {
                throw new AssertionError("the last event '" + name + "' is " + data);
            }
            return data;
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
