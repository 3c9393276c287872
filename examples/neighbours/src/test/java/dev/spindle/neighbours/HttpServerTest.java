// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpServerTest {
    private final Watch watch = new Watch();
    private final Map<HttpExchange, Integer> arrived = new ConcurrentHashMap<>();

    private void answer(HttpExchange exchange) {
        watch.run("a", arrived.getOrDefault(exchange, -1));
        byte[] text = "ok".getBytes(StandardCharsets.US_ASCII);
        try {
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String tenantOf(HttpExchange exchange) {
        return String.valueOf(exchange.getRequestHeaders().getFirst("Tenant"));
    }

    @Test
    void handler_keyedByTenant_answersInTheOrderOfArrival() throws IOException {
        try (Spindle spindle = Spindle.create()) {
            Keyed<String> tenants = spindle.keyed("tenants");
            // snippet: http-server
            HttpHandler orders = exchange -> tenants.execute(tenantOf(exchange), () -> {
                try (exchange) { // closes it if answer() throws, or the client waits
                    answer(exchange);
                }
            });
            // end
            assertThat(failures(orders)).isZero();
        }

        assertThat(watch.ran()).isEqualTo(HttpClients.REQUESTS);
        assertThat(watch.disorder()).isZero();
    }

    @Test
    void control_plainPool_overlaps() throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(8);
        HttpHandler orders = exchange -> pool.execute(() -> {
            try (exchange) {
                answer(exchange);
            }
        });

        assertThat(failures(orders)).isZero();
        pool.shutdown();
        assertThat(watch.disorder()).isPositive();
    }

    /** Serves with the server's default executor, its only thread, which the filter numbers the requests on. */
    private long failures(HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/orders", handler).getFilters().add(new Filter() {
            @Override
            public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
                arrived.put(exchange, watch.arrive("a"));
                chain.doFilter(exchange);
            }

            @Override
            public String description() {
                return "numbers the requests";
            }
        });
        server.start();
        try {
            return HttpClients.failures(server.getAddress().getPort());
        } finally {
            server.stop(0);
        }
    }
}
