// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.live;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The page of the flights, on the loopback address. The switch is a POST from the page itself. */
final class LiveServer {
    private static final Map<String, String> FILES = Map.of(
            "/", "text/html; charset=utf-8",
            "/live.js", "text/javascript; charset=utf-8",
            "/live.css", "text/css; charset=utf-8");

    private final LiveDemo demo;
    private final HttpServer http;
    private final URI uri;

    LiveServer(LiveDemo demo, int port) throws IOException {
        this.demo = demo;
        InetAddress loopback = InetAddress.getLoopbackAddress();
        http = HttpServer.create(new InetSocketAddress(loopback, port), 0);
        uri = URI.create(
                "http://" + loopback.getHostAddress() + ":" + http.getAddress().getPort() + "/");
        http.createContext("/", this::handle);
        http.start();
    }

    URI uri() {
        return uri;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set(
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; "
                            + "connect-src 'self'; img-src data:; frame-ancestors 'none'");
            headers.set("Cache-Control", "no-store");
            headers.set("X-Content-Type-Options", "nosniff");
            String host = exchange.getRequestHeaders().getFirst("Host");
            String path = String.valueOf(exchange.getRequestURI().getPath());
            String method = exchange.getRequestMethod();
            if (host == null || !host.matches("(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]+)?")) {
                answer(exchange, 403, "text/plain", "The host must be localhost.");
            } else if (method.equals("POST") && (path.equals("/hang") || path.equals("/heal"))) {
                turn(exchange, path.equals("/hang"), host);
            } else if (!method.equals("GET")) {
                answer(exchange, 405, "text/plain", "GET alone.");
            } else if (path.equals("/state")) {
                answer(exchange, 200, "application/json", demo.state());
            } else {
                file(exchange, path);
            }
        }
    }

    private void turn(HttpExchange exchange, boolean on, String host) throws IOException {
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        if (origin != null && !origin.equals("http://" + host)) {
            answer(exchange, 403, "text/plain", "Another site asked for this.");
            return;
        }
        demo.lookUps().hang(on);
        answer(exchange, 200, "text/plain", on ? "on" : "off");
    }

    private static void file(HttpExchange exchange, String path) throws IOException {
        String type = FILES.get(path);
        String name = path.equals("/") ? "index.html" : path.substring(1);
        try (InputStream in = type == null ? null : LiveServer.class.getResourceAsStream(name)) {
            if (type == null || in == null) {
                answer(exchange, 404, "text/plain", "There is no such page.");
            } else {
                answer(exchange, 200, type, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    void close() {
        http.stop(0);
    }
}
