// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.BreakerConfig.Engine;
import dev.spindle.gateway.config.Concurrency;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** B4: actions of clients count neither for nor against a backend, nor against the gateway's own limit. */
@Timeout(60)
class BlameTest {
    private static final int CLIENTS = 30;
    private static final int INITIAL = 100;
    private static final Concurrency LEARNED = Concurrency.adaptive(1, INITIAL, 200);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final String FINE = Wire.get("/fine");

    private static BreakerConfig breaker(Engine engine) {
        return new BreakerConfig(20, 3, 0.5, Duration.ofMinutes(5), 1, engine);
    }

    private static Settings.Builder guarded(TestBackend backend, Engine engine, Limits.Builder limits) {
        return Gateways.config()
                .limits(limits.requests(LEARNED).build())
                .backend(BackendConfig.builder("a", backend.url())
                        .limit(Duration.ofSeconds(10))
                        .breaker(breaker(engine))
                        .bulkhead(LEARNED, 10)
                        .build())
                .route(RouteConfig.proxy("/*", "a").build())
                .route(RouteConfig.proxy("/short/*", "a")
                        .limit(Duration.ofSeconds(2))
                        .build())
                .route(RouteConfig.multicast("/all", "a", "a").build())
                .route(RouteConfig.pipeline("/steps", "a", "a").build());
    }

    private static void assertUntouched(NettyGateway gateway) throws IOException {
        assertThat(Wire.ask(gateway, FINE).status()).isEqualTo(200);
        assertThat(metric(gateway, "spindle_gateway_backend_breaker_open{backend=\"a\"}"))
                .isZero();
        assertThat(metric(gateway, "spindle_gateway_requests_limit")).isEqualTo(INITIAL);
        assertThat(metric(gateway, "spindle_gateway_backend_limit{backend=\"a\"}"))
                .isEqualTo(INITIAL);
        waitUntil(() -> metric(gateway, "spindle_gateway_requests_in_flight") == 0);
        waitUntil(() -> metric(gateway, "spindle_gateway_backend_in_flight{backend=\"a\"}") == 0);
    }

    private static double metric(NettyGateway gateway, String name) {
        Matcher line = Pattern.compile("(?m)^" + Pattern.quote(name) + " (.+)$").matcher(gateway.metrics());
        assertThat(line.find()).as("%s in %s", name, gateway.metrics()).isTrue();
        return Double.parseDouble(String.valueOf(line.group(1)));
    }

    /** Answers /fine, and leaves the rest to the script, which may answer or return. */
    private static TestBackend orElse(TestBackend.Script script) throws IOException {
        return TestBackend.of((wire, self) -> {
            for (; ; ) {
                Wire.Message request = self.request(wire);
                if (request.path().equals("/fine")) {
                    wire.send(Wire.ok("fine"));
                } else {
                    script.run(wire, self);
                    return;
                }
            }
        });
    }

    private static void waitUntil(java.util.function.BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(30));
            LockSupport.parkNanos(1_000_000);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void b4_deadlinesThatClientsMakeTooShort_countNeitherWay(Engine engine) throws Exception {
        try (TestBackend backend = orElse((wire, self) -> wire.rest());
                NettyGateway gateway = Gateways.start(guarded(backend, engine, Limits.builder()))) {
            for (String path : List.of("/x", "/all", "/steps")) {
                for (int i = 0; i < CLIENTS; i++) {
                    assertThat(Wire.ask(gateway, "GET " + path + " HTTP/1.1\r\nHost: a\r\nX-Deadline-Ms: 7\r\n\r\n")
                                    .status())
                            .isEqualTo(504);
                }
            }
            assertUntouched(gateway);
        }
    }

    /** A backend that goes by the deadline it is told, as many do. */
    @Test
    void b4_backendThatGivesUpAtTheDeadlineOfAClient_countsNeitherWay() throws Exception {
        String late = "HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\n\r\n";
        try (TestBackend backend = orElse((wire, self) -> wire.send(late));
                NettyGateway gateway = Gateways.start(guarded(backend, Engine.SPINDLE, Limits.builder()))) {
            for (int i = 0; i < CLIENTS; i++) {
                Wire.Message answer = Wire.ask(gateway, "GET /x HTTP/1.1\r\nHost: a\r\nX-Deadline-Ms: 20\r\n\r\n");
                assertThat(answer.status()).isGreaterThanOrEqualTo(500);
            }
            assertUntouched(gateway);
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void b4_clientsThatReadSlowly_countNeitherWay(Engine engine) throws Exception {
        for (String path : List.of("/x", "/short/x")) {
            try (TestBackend backend = orElse((wire, self) -> {
                        wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                        for (; ; ) {
                            wire.send("2710\r\n" + "x".repeat(10_000) + "\r\n");
                        }
                    });
                    NettyGateway gateway = Gateways.start(guarded(
                            backend,
                            engine,
                            Limits.builder().writeTime(path.equals("/x") ? SHORT : Duration.ofSeconds(30))))) {
                List<Wire> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(Wire.to(gateway.address()).send(Wire.get(path)));
                }
                waitUntil(() -> metric(gateway, "spindle_gateway_requests_in_flight") > 0);
                waitUntil(() -> metric(gateway, "spindle_gateway_requests_in_flight") == 0);
                assertUntouched(gateway);
                for (Wire client : clients) {
                    client.close();
                }
            }
        }
    }

    /** A backend that cannot send, and has a limit of its own. */
    @Test
    void b4_backendThatGivesUpOnAClientThatReadsSlowly_countsNeitherWay() throws Exception {
        try (TestBackend backend = orElse((wire, self) -> {
                    wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                    wire.sendWhileItIsTaken("2710\r\n" + "x".repeat(10_000) + "\r\n", Duration.ofSeconds(1));
                    wire.reset();
                });
                NettyGateway gateway = Gateways.start(guarded(backend, Engine.SPINDLE, Limits.builder()))) {
            for (int i = 0; i < 4; i++) {
                try (Wire wire = Wire.to(gateway.address())) {
                    wire.send(Wire.get("/x"));
                    waitUntil(() -> metric(gateway, "spindle_gateway_requests_in_flight") > 0);
                    waitUntil(() -> metric(gateway, "spindle_gateway_requests_in_flight") == 0);
                }
            }
            assertUntouched(gateway);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/x", "/short/x"})
    void b4_clientsThatWriteSlowly_countNeitherWay(String path) throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    for (; ; ) {
                        if (self.request(wire).path().equals("/fine")) {
                            wire.send(Wire.ok("fine"));
                        }
                    }
                });
                NettyGateway gateway = Gateways.start(guarded(
                        backend,
                        Engine.SPINDLE,
                        Limits.builder().bodyTime(path.equals("/x") ? SHORT : Duration.ofSeconds(30))))) {
            List<Wire> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Wire.to(gateway.address())
                        .send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nbegun"));
            }
            for (Wire client : clients) {
                assertThat(client.read().status()).isIn(408, 504);
                client.close();
            }
            assertUntouched(gateway);
        }
    }

    /** A backend that waits for the body, and has a limit of its own. */
    @Test
    void b4_backendThatGivesUpOnAClientThatWritesSlowly_countsNeitherWay() throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    if (wire.line().contains("/fine")) {
                        wire.send(Wire.ok("fine"));
                    } else {
                        while (!wire.line().isEmpty()) {
                            // the head
                        }
                        wire.exactly("begun".length());
                    }
                });
                NettyGateway gateway = Gateways.start(guarded(backend, Engine.SPINDLE, Limits.builder()))) {
            for (int i = 0; i < CLIENTS; i++) {
                try (Wire wire = Wire.to(gateway.address())) {
                    wire.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nbegun");
                    assertThat(wire.read().status()).isEqualTo(502);
                }
            }
            assertUntouched(gateway);
        }
    }

    /** The duration of these requests would lower a learned limit. */
    @Test
    void b4_timeThatClientsTakeToWriteAndToRead_isNotTheBackends() throws Exception {
        int clients = 40; // fewer than half of the limit: it makes no trials, and long requests lower it
        try (TestBackend backend = TestBackend.answering(request -> {
                    LockSupport.parkNanos(100_000_000); // long compared with the noise of the machine
                    return Wire.ok("fine");
                });
                NettyGateway gateway = Gateways.start(guarded(backend, Engine.SPINDLE, Limits.builder()))) {
            for (int round = 0; round < 6; round++) {
                List<Wire> wires = new ArrayList<>();
                for (int i = 0; i < clients; i++) {
                    wires.add(Wire.to(gateway.address())
                            .send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nbegun"));
                }
                waitUntil(() -> metric(gateway, "spindle_gateway_requests_in_flight") == clients);
                LockSupport.parkNanos(round * 100_000_000L);
                for (Wire client : wires) {
                    client.send("ended");
                }
                for (Wire client : wires) {
                    assertThat(client.read().status()).isEqualTo(200);
                    client.close();
                }
            }
            assertThat(metric(gateway, "spindle_gateway_requests_limit")).isGreaterThanOrEqualTo(INITIAL);
            assertThat(metric(gateway, "spindle_gateway_backend_limit{backend=\"a\"}"))
                    .isGreaterThanOrEqualTo(INITIAL);
        }
    }

    /** So many requests that the limit is in use: the first that counted would begin a trial. */
    @Test
    void b4_clientsThatWriteSlowly_teachTheGatewaysLimitNothing() throws Exception {
        int clients = 39;
        try (TestBackend backend = TestBackend.answering(request -> Wire.ok("fine"));
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend)
                        .limits(Limits.builder()
                                .requests(Concurrency.adaptive(1, clients + 1, 100))
                                .build()))) {
            for (int round = 0; round < 3; round++) {
                List<Wire> wires = new ArrayList<>();
                for (int i = 0; i < clients; i++) {
                    wires.add(Wire.to(gateway.address())
                            .send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nbegun"));
                }
                waitUntil(() -> metric(gateway, "spindle_gateway_requests_in_flight") == clients);
                for (int i = clients - 1; i >= 0; i--) { // the last one first: most others were under way when it began
                    assertThat(wires.get(i).send("ended").read().status()).isEqualTo(200);
                    wires.get(i).close();
                }
                waitUntil(() -> metric(gateway, "spindle_gateway_requests_in_flight") == 0);
                assertThat(metric(gateway, "spindle_gateway_requests_limit")).isEqualTo(clients + 1);
            }
        }
    }

    @Test
    void b4_clientsThatGoAway_countNeitherWay() throws Exception {
        try (TestBackend backend = orElse((wire, self) -> wire.rest());
                NettyGateway gateway = Gateways.start(guarded(backend, Engine.SPINDLE, Limits.builder()))) {
            for (int i = 0; i < CLIENTS; i++) {
                try (Wire wire = Wire.to(gateway.address())) {
                    wire.send(Wire.get("/x"));
                    waitUntil(() -> metric(gateway, "spindle_gateway_backend_in_flight{backend=\"a\"}") > 0);
                }
                waitUntil(() -> metric(gateway, "spindle_gateway_backend_in_flight{backend=\"a\"}") == 0);
            }
            assertUntouched(gateway);
        }
    }

    /** Actions of a backend count, whatever clients state. */
    @ParameterizedTest
    @EnumSource(Engine.class)
    void b4_backendThatFails_countsForClientsWithLimitsOfTheirOwnAndForSlowOnes(Engine engine) throws Exception {
        for (String request : List.of(
                "GET /x HTTP/1.1\r\nHost: a\r\nX-Deadline-Ms: 5000\r\n\r\n",
                "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nwhole")) {
            try (TestBackend backend =
                            orElse((wire, self) -> wire.send("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"));
                    NettyGateway gateway = Gateways.start(guarded(backend, engine, Limits.builder()))) {
                for (int i = 0; i < CLIENTS; i++) {
                    int half = request.length() - 2;
                    try (Wire wire = Wire.to(gateway.address())) {
                        wire.send(request.substring(0, half));
                        wire.send(request.substring(half));
                        assertThat(wire.read().status()).isGreaterThanOrEqualTo(500);
                    }
                }
                assertThat(metric(gateway, "spindle_gateway_backend_breaker_open{backend=\"a\"}"))
                        .isOne();
            }
        }
    }
}
