// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The HTTP server of a page. Thread-safe. */
final class PageServer {
    private static final System.Logger LOG = System.getLogger("dev.spindle");

    /** The number of connections that may wait to be accepted. Not measured. */
    private static final int BACKLOG = 64;

    /** The maximum number of characters that a search looks for. Not measured. */
    private static final int MOST_SEARCHED = 256;

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** The files of the page, by path, with their types. */
    private static final Map<String, Asset> ASSETS = Map.ofEntries(
            Map.entry("/", new Asset("index.html", "text/html; charset=utf-8")),
            Map.entry("/page.css", new Asset("page.css", STYLE)),
            Map.entry("/words.js", new Asset("words.js", SCRIPT)),
            Map.entry("/state.js", new Asset("state.js", SCRIPT)),
            Map.entry("/stuck.js", new Asset("stuck.js", SCRIPT)),
            Map.entry("/graph.js", new Asset("graph.js", SCRIPT)),
            Map.entry("/workers.js", new Asset("workers.js", SCRIPT)),
            Map.entry("/charts.js", new Asset("charts.js", SCRIPT)),
            Map.entry("/tables.js", new Asset("tables.js", SCRIPT)),
            Map.entry("/page.js", new Asset("page.js", SCRIPT)),
            Map.entry("/uPlot.min.css", new Asset("uplot/uPlot.min.css", STYLE)),
            Map.entry("/uPlot.iife.min.js", new Asset("uplot/uPlot.iife.min.js", SCRIPT)));

    private record Asset(String file, String type) {}

    private final HttpServer http;
    private final Guard guard;
    private final Frames frames;
    private final Ticker ticker;
    private final Requests requests;
    private final Cost cost;
    private final URI uri;
    private final Semaphore search = new Semaphore(1);
    private final AtomicBoolean closed = new AtomicBoolean();

    private PageServer(Spindle spindle, Settings settings, HttpServer http) {
        this.http = http;
        String name = "spindle-page-" + Pool.of(spindle).name();
        int port = http.getAddress().getPort();
        guard = new Guard(settings, port);
        cost = new Cost();
        frames = new Frames(spindle, settings, cost);
        ticker = new Ticker(name, frames, settings, cost);
        requests = new Requests(name + "-viewer", settings.stalledMillis());
        uri = URI.create("http://" + host(settings.address()) + ":" + port + "/");
    }

    private static String host(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        String bare = zone < 0 ? text : text.substring(0, zone);
        return address instanceof Inet6Address ? "[" + bare + "]" : bare;
    }

    /** Opens a page. The server's thread is a daemon, as is the thread that starts it. */
    static PageServer open(Spindle spindle, Settings settings) {
        InetSocketAddress address = new InetSocketAddress(settings.address(), settings.port());
        HttpServer http;
        try {
            http = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException("the page of a spindle could not listen at " + address, e);
        }
        PageServer server = new PageServer(spindle, settings, http);
        http.setExecutor(server.requests);
        http.createContext("/", server::handle);
        Thread starter = new Thread(null, http::start, "spindle-page-start", 0, false);
        starter.setDaemon(true);
        starter.start();
        join(starter);
        CompletableFuture<?> unused = spindle.terminated().whenComplete((done, failure) -> server.close());
        LOG.log(
                System.Logger.Level.INFO,
                "the page of spindle {0} is at {1}",
                Pool.of(spindle).name(),
                server.uri);
        return server;
    }

    private static void join(Thread starter) {
        boolean interrupted = false;
        while (starter.isAlive()) {
            try {
                starter.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    URI uri() {
        return uri;
    }

    Ticker ticker() {
        return ticker;
    }

    void close() {
        if (closed.compareAndSet(false, true)) {
            ticker.close();
            http.stop(0);
            requests.close();
        }
    }

    // ---------------------------------------------------------------- requests

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Security-Policy", POLICY);
            headers.set("Cache-Control", "no-store");
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("X-Frame-Options", "DENY");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            headers.set("Cross-Origin-Opener-Policy", "same-origin");
            URI asked = exchange.getRequestURI();
            Guard.Verdict verdict = guard.check(exchange.getRequestMethod(), asked, exchange.getRequestHeaders());
            if (verdict.status() != 200) {
                if (verdict.status() == 405) {
                    headers.set("Allow", "GET");
                }
                answer(exchange, verdict.status(), TEXT, verdict.text());
                return;
            }
            String cookie = guard.cookieFor(asked);
            if (cookie != null) { // the address bar and the history then lose the token
                headers.set("Set-Cookie", cookie);
                headers.set("Location", "/");
                exchange.sendResponseHeaders(303, -1);
                return;
            }
            route(exchange, asked);
        }
    }

    private void route(HttpExchange exchange, URI asked) throws IOException {
        String path = asked.getPath() == null ? "" : asked.getPath();
        switch (path) {
            case "/live" -> live(exchange);
            case "/snapshot" -> answer(exchange, 200, JSON, frames.snapshot());
            case "/find" -> find(exchange, Guard.parameter(asked, "q"));
            case "/stack" -> stack(exchange, Guard.parameter(asked, "id"));
            default -> file(exchange, ASSETS.get(path));
        }
    }

    private void file(HttpExchange exchange, @Nullable Asset asset) throws IOException {
        if (asset == null) {
            answer(exchange, 404, TEXT, "There is no such page.");
            return;
        }
        try (InputStream in = PageServer.class.getResourceAsStream(asset.file)) {
            if (in == null) {
                throw new IOException("the jar lacks " + asset.file);
            }
            answer(exchange, 200, asset.type, in.readAllBytes());
        }
    }

    private void find(HttpExchange exchange, @Nullable String part) throws IOException {
        if (part == null || part.isEmpty() || part.length() > MOST_SEARCHED) {
            answer(exchange, 400, TEXT, "q must have 1 to " + MOST_SEARCHED + " characters.");
        } else if (!search.tryAcquire()) {
            answer(exchange, 503, TEXT, "Another search runs.");
        } else {
            try {
                answer(exchange, 200, JSON, frames.find(part));
            } finally {
                search.release();
            }
        }
    }

    private void stack(HttpExchange exchange, @Nullable String id) throws IOException {
        if (id == null || !id.matches("[0-9]{1,18}")) {
            answer(exchange, 400, TEXT, "id must be a number.");
            return;
        }
        String stack = frames.stack(Long.parseLong(id));
        if (stack == null) {
            answer(exchange, 404, TEXT, "No worker has this id; it may have ended.");
        } else {
            answer(exchange, 200, TEXT, stack);
        }
    }

    private void live(HttpExchange exchange) throws IOException {
        Viewer viewer = new Viewer(requests.keep());
        if (!ticker.join(viewer)) {
            answer(exchange, 503, TEXT, "There are " + Ticker.MOST_VIEWERS + " viewers.");
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            viewer.serve(exchange.getResponseBody(), frames.hello(), cost);
        } catch (InterruptedException e) {
            return; // the page closes
        } finally {
            ticker.leave(viewer);
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        answer(exchange, status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}
