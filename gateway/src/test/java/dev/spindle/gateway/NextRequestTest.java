// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.Concurrency;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.RequestOrder;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** State that a request leaves behind for the next one, of its connection and of others. */
@Timeout(60)
class NextRequestTest {
    private static final String HEAD = " HTTP/1.1\r\nHost: test\r\nX-User: u\r\n";

    /** A gateway with one of everything: the next request misses what is not given back. */
    private static Settings.Builder scarce(TestBackend backend) {
        return Gateways.config()
                .limits(Limits.builder()
                        .requests(Concurrency.fixed(1))
                        .answer(1_000)
                        .body(100)
                        .build())
                .backend(one(backend, "a").build())
                .backend(one(backend, "b").build())
                .backend(one(backend, "r").retry(1).build())
                .backend(one(backend, "h").hedgeAfter(Duration.ofMillis(5)).build())
                .route(RouteConfig.proxy("/*", "a")
                        .order(RequestOrder.byHeader("X-User"))
                        .build())
                .route(RouteConfig.proxy("/plain/*", "a").build())
                .route(RouteConfig.proxy("/retry/*", "r").build())
                .route(RouteConfig.proxy("/hedge/*", "h").build())
                .route(RouteConfig.multicast("/all/*", "a", "b")
                        .order(RequestOrder.byHeader("X-User"))
                        .build())
                .route(RouteConfig.multicast("/any/*", "a", "b").need(1).build())
                .route(RouteConfig.pipeline("/steps/*", "a", "b").build())
                .route(RouteConfig.proxy("/short/*", "a")
                        .limit(Duration.ofMillis(100))
                        .build());
    }

    private static BackendConfig.Builder one(TestBackend backend, String name) {
        return BackendConfig.builder(name, backend.url())
                .limit(Duration.ofSeconds(20))
                .bulkhead(Concurrency.fixed(name.equals("h") ? 2 : 1), 0)
                .connections(name.equals("h") ? 2 : 1)
                .waiting(0);
    }

    private static TestBackend backend() throws Exception {
        return TestBackend.of((wire, self) -> {
            for (; ; ) {
                Wire.Message request = self.request(wire);
                String path = request.path();
                if (path.endsWith("/hang")) {
                    wire.rest();
                    return;
                } else if (path.endsWith("/reset")) {
                    wire.reset();
                    return;
                } else if (path.endsWith("/half")) {
                    wire.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
                    return;
                } else if (path.endsWith("/close")) {
                    wire.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx");
                    return;
                }
                wire.send(answer(request));
            }
        });
    }

    private static String answer(Wire.Message request) {
        String path = request.path();
        if (request.first().startsWith("HEAD ")) {
            return "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
        }
        String kind = path.substring(path.lastIndexOf('/') + 1);
        return switch (kind) {
            case "204", "304" -> "HTTP/1.1 " + kind + " None\r\n\r\n";
            case "304-with-length" -> "HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n";
            case "500", "503", "404" -> "HTTP/1.1 " + kind + " No\r\nContent-Length: 2\r\n\r\nno";
            case "chunked" -> "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nT: 1\r\n\r\n";
            case "early" -> "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + Wire.ok("late");
            case "large" -> Wire.ok("x".repeat(2_000));
            default -> Wire.ok("fine");
        };
    }

    static Stream<String> requests() {
        return Stream.of(
                "200 GET /x",
                "200 GET /plain/x",
                "200 HEAD /x",
                "204 GET /204",
                "304 GET /304",
                "304 GET /304-with-length",
                "404 GET /404",
                "500 GET /500",
                "200 GET /chunked",
                "200 GET /early",
                "200 GET /close",
                "502 GET /reset",
                "504 GET /short/hang",
                "200 POST /x",
                "204 POST /204",
                "502 POST /reset",
                "504 POST /short/hang",
                "500 GET /retry/500",
                "502 GET /retry/reset",
                "200 GET /retry/x",
                "200 GET /hedge/x",
                "200 GET /all/x",
                "200 HEAD /all/x",
                "200 GET /all/chunked",
                "502 GET /all/500",
                "502 GET /all/reset",
                "502 GET /all/large",
                "200 GET /any/x",
                "502 GET /any/500",
                "200 POST /any/x",
                "200 GET /steps/x",
                "200 HEAD /steps/x",
                "404 GET /steps/404",
                "502 GET /steps/reset",
                "200 POST /steps/x",
                "501 TRACE /x",
                "417 EXPECT /x",
                "200 CONTINUE /x");
    }

    private static String text(String method, String path) {
        return switch (method) {
            case "POST" -> "POST " + path + HEAD + "Content-Length: 2\r\n\r\nxy";
            case "EXPECT" -> "GET " + path + HEAD + "Expect: something\r\n\r\n";
            case "CONTINUE" -> "POST " + path + HEAD + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\nxy";
            default -> method + " " + path + HEAD + "\r\n";
        };
    }

    @ParameterizedTest
    @MethodSource("requests")
    void b5_whatARequestHolds_isThereForTheNext(String request) throws Exception {
        String[] words = request.split(" ", -1);
        try (TestBackend backend = backend();
                NettyGateway gateway = Gateways.start(scarce(backend));
                Wire other = Wire.to(gateway.address());
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 0; i < 3; i++) {
                wire.send(text(words[1], words[2]));
                if (words[1].equals("CONTINUE")) {
                    assertThat(wire.read().status()).isEqualTo(100);
                }
                Wire.Message answer = wire.read(words[1].equals("HEAD"));
                assertThat(answer.status()).isEqualTo(Integer.parseInt(words[0]));
                assertThat(answer.field("connection")).isNull();
                awaitNone(gateway); // permits are given back after the last byte
                for (String path : List.of("/fine", "/retry/fine", "/hedge/fine", "/steps/fine", "/any/fine")) {
                    assertThat(other.send("GET " + path + HEAD + "\r\n").read().status())
                            .as("%s after %s", path, request)
                            .isEqualTo(200);
                    awaitNone(gateway);
                }
                assertThat(wire.send("GET /fine" + HEAD + "\r\n").read().body()).isEqualTo("fine");
                awaitNone(gateway);
            }
            assertThat(gateway.metrics()).contains("spindle_gateway_shed_total 0\n");
        }
    }

    private static void awaitNone(NettyGateway gateway) {
        String metrics = gateway.metrics();
        while (!metrics.contains("spindle_gateway_requests_in_flight 0\n")
                || metrics.matches("(?s).*spindle_gateway_backend_in_flight\\{[^}]*} [1-9].*")) {
            LockSupport.parkNanos(1_000_000);
            metrics = gateway.metrics();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /plain/hang",
                "POST /plain/hang",
                "GET /hang",
                "GET /all/hang",
                "GET /any/hang",
                "GET /steps/hang",
                "GET /hedge/hang"
            })
    void b5_clientThatGoesAway_leavesNothingBehind(String request) throws Exception {
        String[] words = request.split(" ", -1);
        try (TestBackend backend = backend();
                NettyGateway gateway = Gateways.start(scarce(backend))) {
            for (int i = 0; i < 3; i++) {
                int before = backend.requests.size();
                try (Wire wire = Wire.to(gateway.address())) {
                    wire.send(text(words[0], words[1]));
                    while (backend.requests.size() == before) {
                        LockSupport.parkNanos(1_000_000);
                    }
                }
                awaitNone(gateway);
                for (String path : List.of("/fine", "/all/fine", "/hedge/fine")) {
                    assertThat(Wire.ask(gateway, "GET " + path + HEAD + "\r\n").status())
                            .isEqualTo(200);
                    awaitNone(gateway);
                }
            }
        }
    }

    @Test
    void b5_connectionsToBackends_areUsedAgainAfterEachAnswerThatIsComplete() throws Exception {
        try (TestBackend backend = backend();
                NettyGateway gateway = Gateways.start(scarce(backend));
                Wire wire = Wire.to(gateway.address())) {
            for (String kind : List.of("x", "204", "304", "304-with-length", "404", "500", "chunked", "early")) {
                for (String method : List.of("GET", "HEAD", "POST")) {
                    if (!method.equals("HEAD") || !kind.equals("early")) {
                        wire.send(text(method, "/plain/" + kind)).read(method.equals("HEAD"));
                    }
                }
            }
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    /** ServerHandler-3: the last refusal is that of the bytes, after which nothing is looked at. */
    @Test
    void h1_answersOfPipelinedRequests_comeInOrderWhateverTheyAre() throws Exception {
        try (TestBackend backend = backend();
                NettyGateway gateway = Gateways.start(scarce(backend));
                Wire wire = Wire.to(gateway.address())) {
            wire.send(text("GET", "/x") + text("TRACE", "/x") + text("GET", "/%zz") + text("GET", "/x"));

            assertThat(wire.read().body()).isEqualTo("fine");
            assertThat(wire.read().status()).isEqualTo(501);
            assertThat(wire.read().status()).isEqualTo(400);
            assertThat(wire.isClosed()).isTrue();
            assertThat(backend.requests).hasSize(1);
        }
    }

    // ---------------------------------------------------------------- time limits of later requests

    /** Sends pieces after pauses shorter than the limit. Returns whether each was sent in time. */
    private static boolean sendInTime(Wire wire, String text, int pieces, Duration limit) throws Exception {
        int size = text.length() / pieces + 1;
        boolean inTime = true;
        for (int from = 0; from < text.length(); from += size) {
            long begin = System.nanoTime();
            while (from > 0 && System.nanoTime() - begin < limit.toNanos() / 3) {
                LockSupport.parkNanos(1_000_000);
            }
            wire.send(text.substring(from, Math.min(text.length(), from + size)));
            inTime &= System.nanoTime() - begin < limit.toNanos() * 2 / 3;
        }
        return inTime;
    }

    @Test
    void h4_bodyWhosePiecesComeInTime_isTakenHoweverLongItTakes() throws Exception {
        Duration limit = Duration.ofMillis(300);
        for (boolean inTime = false; !inTime; limit = limit.multipliedBy(2)) {
            try (TestBackend backend = TestBackend.answering(request -> Wire.ok(request.body()));
                    NettyGateway gateway = Gateways.start(Gateways.proxy(
                                    BackendConfig.builder("a", backend.url()).limit(Duration.ofSeconds(30)))
                            .limits(Limits.builder().bodyTime(limit).build()));
                    Wire wire = Wire.to(gateway.address())) {
                wire.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n");
                inTime = sendInTime(wire, "x".repeat(50), 5, limit);
                int status = wire.read().status();
                assertThat(status).isIn(inTime ? List.of(200) : List.of(200, 408));
            } catch (java.io.IOException closed) {
                assertThat(inTime).isFalse();
            }
        }
    }

    @Test
    void h4_headsOfOneConnection_haveTheirTimeEach() throws Exception {
        Duration limit = Duration.ofMillis(300);
        for (boolean inTime = false; !inTime; limit = limit.multipliedBy(2)) {
            try (TestBackend backend = TestBackend.saying("fine");
                    NettyGateway gateway = Gateways.start(Gateways.proxy(backend)
                            .limits(Limits.builder().headTime(limit).build()));
                    Wire wire = Wire.to(gateway.address())) {
                inTime = true;
                for (int i = 0; i < 3 && inTime; i++) {
                    inTime = sendInTime(wire, Wire.get("/"), 2, limit);
                    int status = wire.read().status();
                    assertThat(status).isIn(inTime ? List.of(200) : List.of(200, 408));
                }
                if (inTime) {
                    wire.send("GET / HT");
                    assertThat(wire.read().status()).isEqualTo(408);
                }
            } catch (java.io.IOException closed) {
                assertThat(inTime).isFalse();
            }
        }
    }
}
