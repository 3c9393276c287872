// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BreakerConfig;
import dev.spindle.gateway.config.Concurrency;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Backends that misbehave: each request ends once, with a named outcome, by its time limit. */
@Timeout(60)
class BackendFaultTest {
    private static BackendConfig.Builder at(TestBackend backend) {
        return BackendConfig.builder("a", backend.url()).limit(Duration.ofMillis(400));
    }

    @Test
    void h5_backendThatHangs_is504InTimeAndItsConnectionIsClosed() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try (TestBackend backend = TestBackend.of((wire, self) -> {
            self.request(wire);
            assertThat(wire.isClosed()).isTrue();
            closed.countDown();
        })) {
            long begin = System.nanoTime();
            try (NettyGateway gateway =
                    NettyGateway.start(Gateways.proxy(at(backend)).build(), log)) {
                assertThat(Wire.ask(gateway, Wire.get("/x")).status()).isEqualTo(504);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofMillis(400), Duration.ofSeconds(50));
            assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(log.toString(StandardCharsets.UTF_8))
                    .contains("127.0.0.1 GET /x 504 0 ")
                    .contains("\"endpoint a was not answered in time\"");
        }
    }

    /** A backend without a limit, behind a route with one; a shorter limit than 750 ms would not be its fault. */
    private static Settings limitedByItsRoute(TestBackend backend) {
        return Gateways.config()
                .backend(BackendConfig.builder("a", backend.url())
                        .breaker(new BreakerConfig(2, 2, 0.5, Duration.ofMinutes(1), 1, BreakerConfig.Engine.SPINDLE))
                        .build())
                .route(RouteConfig.proxy("/*", "a")
                        .limit(Duration.ofMillis(1_200))
                        .build())
                .build();
    }

    @Test
    void a3_backendWithoutALimit_isEndedByThatOfTheRouteAndBlamed() throws Exception {
        CountDownLatch closed = new CountDownLatch(2);
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    assertThat(wire.isClosed()).isTrue();
                    closed.countDown();
                });
                NettyGateway gateway = NettyGateway.start(limitedByItsRoute(backend), log)) {
            for (int i = 0; i < 2; i++) {
                long begin = System.nanoTime();
                assertThat(Wire.ask(gateway, Wire.get("/x")).status()).isEqualTo(504);
                assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(1_200_000_000);
            }
            assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
            int status = 504;
            while (status == 504) { // a timeout that a busy machine notices late does not count against the backend
                status = Wire.ask(gateway, Wire.get("/x")).status();
            }
            assertThat(status).isEqualTo(503); // the breaker is open
        }
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("\"endpoint a was not answered in time\"");
    }

    @Test
    void a3_answerThatStopsInTheMiddle_isCutOffAtTheLimitOfTheRoute() throws Exception {
        String begun = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhe";
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send(begun).rest();
                });
                NettyGateway gateway = NettyGateway.start(limitedByItsRoute(backend), log)) {
            try (Wire wire = Wire.to(gateway.address())) {
                assertThat(wire.send(Wire.get("/x")).rest()).isEqualTo(begun);
            }
        }
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("\"cut off: endpoint a was not answered in time\"");
    }

    @Test
    void backendThatIsNotThere_is502() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        try (NettyGateway gateway =
                Gateways.start(Gateways.proxy(BackendConfig.builder("a", "http://127.0.0.1:" + port)))) {
            assertThat(Wire.ask(gateway, Wire.get("/x")).status()).isEqualTo(502);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Le"})
    void backendThatResetsBeforeTheHead_is502(String before) throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send(before);
                    wire.reset();
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)))) {
            assertThat(Wire.ask(gateway, Wire.get("/x")).status()).isEqualTo(502);
        }
    }

    @Test
    void backendThatTrickles_isCutOffAtItsLimit() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
                    try {
                        for (; ; ) {
                            wire.send("x");
                            LockSupport.parkNanos(20_000_000);
                        }
                    } finally {
                        gone.countDown();
                    }
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)));
                Wire wire = Wire.to(gateway.address())) {
            String all = wire.send(Wire.get("/x")).rest();

            assertThat(all).startsWith("HTTP/1.1 200 OK").hasSizeLessThan(100_000);
            assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void backendThatSendsLessThanItSays_endsTheClientsConnection() throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)));
                Wire wire = Wire.to(gateway.address())) {
            assertThat(wire.send(Wire.get("/x")).rest())
                    .contains("content-length: 100")
                    .endsWith("short");
        }
    }

    @Test
    void h2_backendThatSendsMoreThanItSays_giveItToNobody() throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send(Wire.ok("fine") + Wire.ok("for another client"));
                    wire.read();
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)));
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 0; i < 5; i++) {
                assertThat(wire.send(Wire.get("/x")).read().body()).isEqualTo("fine");
            }
            assertThat(backend.connections()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le"})
    void h2_beginningOfAnotherAnswer_isNotThatOfTheNextRequest(String beginning) throws Exception {
        String other = "HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\nfor another client";
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send(Wire.ok("fine") + beginning);
                    wire.line(); // the end of the connection, if none is used again
                    wire.send(other.substring(beginning.length()));
                    wire.read();
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)));
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 0; i < 3; i++) {
                assertThat(wire.send(Wire.get("/x")).read().body()).isEqualTo("fine");
            }
            assertThat(backend.connections()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"})
    void h2_bytesOnAConnectionThatNobodyUses_closeIt(String bytes) throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send(Wire.ok("fine"));
                    answered.await();
                    wire.send(bytes);
                    closed.complete(wire.isClosed());
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)))) {
            assertThat(Wire.ask(gateway, Wire.get("/x")).body()).isEqualTo("fine");
            answered.countDown();
            assertThat(closed.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(Wire.ask(gateway, Wire.get("/x")).body()).isEqualTo("fine");
        }
    }

    /** Answers that break the rules of requests. */
    enum Malformed {
        BOTH_LENGTHS("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        TWO_LENGTHS("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n123456"),
        TWO_LENGTHS_IN_HTTP_1_0("HTTP/1.0 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n123456"),
        CODING_IN_HTTP_1_0("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        CHUNKED_AND_A_COMMA("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked,\r\n\r\n0\r\n\r\n"),
        OTHER_CODING("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nxxx"),
        BARE_LF("HTTP/1.1 200 OK\nContent-Length: 1\n\nx"),
        BLANK_BEFORE_COLON("HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\nx"),
        FOLDED("HTTP/1.1 200 OK\r\nX: 1\r\n 2\r\nContent-Length: 1\r\n\r\nx"),
        CONTROL_IN_A_NAME("HTTP/1.1 200 OK\r\nX\u0001: 1\r\nContent-Length: 1\r\n\r\nx"),
        NUL_IN_THE_STATUS_LINE("HTTP/1.1 200 O\u0000\r\nContent-Length: 1\r\n\r\nx"),
        NUL("HTTP/1.1 200 OK\r\nX: \u0000\r\nContent-Length: 1\r\n\r\nx"),
        SWITCHING("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
        LOWER_CASE("http/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"),
        OTHER_VERSION("HTTP/2.0 200 OK\r\nContent-Length: 1\r\n\r\nx"),
        SIGNED_STATUS("HTTP/1.1 +200 OK\r\nContent-Length: 1\r\n\r\nx"),
        STATUS_OF_FOUR_DIGITS("HTTP/1.1 0200 OK\r\nContent-Length: 1\r\n\r\nx"),
        NO_HTTP("SSH-2.0-OpenSSH_9.2\r\n\r\n"),
        THOUSAND_FIELDS("HTTP/1.1 200 OK\r\n" + "X: 1\r\n".repeat(1_000) + "Content-Length: 1\r\n\r\nx"),
        LARGE_HEAD("HTTP/1.1 200 OK\r\nX: " + "x".repeat(100_000) + "\r\nContent-Length: 1\r\n\r\nx");

        private final String answer;

        Malformed(String answer) {
            this.answer = answer;
        }
    }

    @ParameterizedTest
    @EnumSource(Malformed.class)
    void h2_malformedAnswer_is502AndItsConnectionIsClosed(Malformed what) throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send(what.answer);
                    wire.read();
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend).limit(Duration.ofSeconds(20))));
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 0; i < 2; i++) {
                assertThat(wire.send(Wire.get("/x")).read().status()).isEqualTo(502);
            }
            assertThat(backend.connections()).isEqualTo(2);
        }
    }

    @Test
    void backendThatAnswersBeforeTheRequestIsComplete_isHeardAndBothConnectionsEnd() throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    while (!wire.line().isEmpty()) {
                        // the head
                    }
                    wire.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
                    assertThat(wire.rest()).isEmpty();
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)));
                Wire wire = Wire.to(gateway.address())) {
            Wire.Message answer = wire.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
                    .read();

            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.body()).isEqualTo("no");
            assertThat(answer.field("connection")).isEqualTo("close");
            assertThat(wire.isClosed()).isTrue();
        }
    }

    @Test
    void backendThatClosesBetweenRequests_isCalledAgainUnseen() throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send(Wire.ok("fine"));
                    wire.line();
                    wire.reset();
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)));
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 0; i < 5; i++) {
                assertThat(wire.send(Wire.get("/x")).read().body()).isEqualTo("fine");
            }
        }
    }

    @Test
    void b3_postOnAConnectionThatTheBackendCloses_isNotMadeTwice() throws Exception {
        AtomicInteger heads = new AtomicInteger();
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send(Wire.ok("fine"));
                    wire.line();
                    heads.incrementAndGet();
                    wire.reset();
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)));
                Wire wire = Wire.to(gateway.address())) {
            assertThat(wire.send(Wire.post("/x", "1")).read().status()).isEqualTo(200);
            assertThat(wire.send(Wire.post("/x", "1")).read().status()).isEqualTo(502);
            assertThat(heads).hasValue(1);
        }
    }

    @Test
    void retry_of503_bringsTheNextAnswer() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (TestBackend backend = TestBackend.answering(request -> calls.incrementAndGet() == 1
                        ? "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
                        : Wire.ok("second"));
                NettyGateway gateway = Gateways.start(
                        Gateways.proxy(at(backend).limit(Duration.ofSeconds(5)).retry(2)))) {
            assertThat(Wire.ask(gateway, Wire.get("/x")).body()).isEqualTo("second");
            assertThat(Wire.ask(gateway, Wire.post("/x", "y")).status()).isEqualTo(200);
        }
    }

    @Test
    void hedge_ofASlowCall_isAnsweredByTheSecond() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    if (calls.incrementAndGet() > 1) {
                        wire.send(Wire.ok("second"));
                    }
                    wire.read();
                });
                NettyGateway gateway = Gateways.start(
                        Gateways.proxy(at(backend).limit(Duration.ofSeconds(20)).hedgeAfter(Duration.ofMillis(50))))) {
            assertThat(Wire.ask(gateway, Wire.get("/x")).body()).isEqualTo("second");
        }
    }

    @Test
    void hedge_whileAnAnswerIsForwarded_isNotMade() throws Exception {
        CountDownLatch calls = new CountDownLatch(2);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    calls.countDown();
                    wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na");
                    assertThat(calls.await(300, TimeUnit.MILLISECONDS)).isFalse();
                    wire.send("b");
                });
                NettyGateway gateway = Gateways.start(
                        Gateways.proxy(at(backend).limit(Duration.ofSeconds(20)).hedgeAfter(Duration.ofMillis(50))))) {
            assertThat(Wire.ask(gateway, Wire.get("/x")).body()).isEqualTo("ab");
            assertThat(calls.getCount()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(BreakerConfig.Engine.class)
    void breaker_afterFailures_answersWithoutACall(BreakerConfig.Engine engine) throws Exception {
        BreakerConfig breaker = new BreakerConfig(10, 5, 0.5, Duration.ofMinutes(1), 1, engine);
        try (TestBackend backend = TestBackend.answering(request -> "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n");
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend).breaker(breaker)));
                Wire wire = Wire.to(gateway.address())) {
            for (int i = 0; i < 5; i++) {
                assertThat(wire.send(Wire.get("/x")).read().status()).isEqualTo(500);
            }
            Wire.Message refused = wire.send(Wire.get("/x")).read();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.field("retry-after")).isEqualTo("1");
            assertThat(backend.requests).hasSize(5);
            assertThat(gateway.metrics()).contains("spindle_gateway_backend_breaker_open{backend=\"a\"} 1");
        }
    }

    @Test
    void bulkhead_thatIsFull_is503AtOnce() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    arrived.countDown();
                    go.await();
                    wire.send(Wire.ok("fine"));
                });
                NettyGateway gateway = Gateways.start(
                        Gateways.proxy(at(backend).limit(Duration.ofSeconds(20)).bulkhead(Concurrency.fixed(1), 0)));
                Wire first = Wire.to(gateway.address())) {
            first.send(Wire.get("/1"));
            arrived.await();
            assertThat(Wire.ask(gateway, Wire.get("/2")).status()).isEqualTo(503);
            go.countDown();
            assertThat(first.read().body()).isEqualTo("fine");
        }
    }

    @Test
    void b2_deadlineOfTheClient_goesOnLessWhatIsUsed() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend).limit(Duration.ofSeconds(20))))) {
            String head = "GET /x HTTP/1.1\r\nHost: test\r\n";
            Wire.ask(gateway, head + "X-Deadline-Ms: 15000\r\n\r\n");
            Wire.ask(gateway, head + "grpc-timeout: 14S\r\n\r\n");
            assertThat(Wire.ask(gateway, head + "X-Deadline-Ms: 0\r\n\r\n").status())
                    .isEqualTo(504);
            assertThat(Wire.ask(gateway, head + "X-Deadline-Ms: soon\r\n\r\n").status())
                    .isEqualTo(400);
            assertThat(Wire.ask(gateway, head + "grpc-timeout: 5\r\n\r\n").status())
                    .isEqualTo(400);

            assertThat(backend.requests).hasSize(2);
            assertThat(millis(backend.requests.get(0))).isBetween(1_000L, 14_995L);
            assertThat(millis(backend.requests.get(1))).isBetween(1_000L, 13_995L);
            assertThat(backend.requests.get(1).field("grpc-timeout")).endsWith("m");
        }
    }

    /** The shortest of several limits holds, wherever it was stated. */
    @ParameterizedTest
    @CsvSource({
        "2000, 20000, X-Deadline-Ms: 60000, 1995",
        "20000, 2000, X-Deadline-Ms: 60000, 1995",
        "20000, 20000, X-Deadline-Ms: 2000, 1995",
        "2000, 20000, grpc-timeout: 60S, 1995",
        "20000, 20000, grpc-timeout: 2S, 1995",
        "20000, 20000, grpc-timeout: 2000m, 1995",
        "20000, 20000, grpc-timeout: 2000000u, 1995",
        "20000, 20000, grpc-timeout: 1H, 19995",
        "20000, 20000, 'X-Deadline-Ms: 2000\r\ngrpc-timeout: 60S', 1995",
        "20000, 20000, 'X-Deadline-Ms: 60000\r\ngrpc-timeout: 2S', 1995"
    })
    void b2_shortestOfSeveralLimits_isTheOneThatIsTold(int route, int limit, String fields, long most)
            throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .backend(BackendConfig.builder("a", backend.url())
                                .limit(Duration.ofMillis(limit))
                                .build())
                        .route(RouteConfig.proxy("/*", "a")
                                .limit(Duration.ofMillis(route))
                                .build()))) {
            String said = fields.replace("\\r\\n", "\r\n");
            Wire.ask(gateway, "GET /x HTTP/1.1\r\nHost: test\r\n" + said + "\r\n\r\n");
            assertThat(millis(backend.requests.get(0))).isBetween(1L, most);
        }
    }

    @Test
    void b2_deadlineAboveTheLimitOfTheRoute_doesNotExtendIt() throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> wire.rest());
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .backend(BackendConfig.builder("a", backend.url()).build())
                        .route(RouteConfig.proxy("/*", "a")
                                .limit(Duration.ofMillis(300))
                                .build()))) {
            assertThat(Wire.ask(gateway, "GET / HTTP/1.1\r\nHost: a\r\nX-Deadline-Ms: 99999999\r\n\r\n")
                            .status())
                    .isEqualTo(504);
        }
    }

    private static long millis(Wire.Message request) {
        return Long.parseLong(String.valueOf(request.field("x-deadline-ms")));
    }

    @Test
    void h4_connectionsToABackend_stayWithinTheirLimitAndTheRestWaits() throws Exception {
        CountDownLatch two = new CountDownLatch(2);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
            for (; ; ) {
                self.request(wire);
                two.countDown();
                two.await();
                wire.send(Wire.ok("fine"));
            }
        })) {
            Settings.Builder config = Gateways.proxy(
                    at(backend).limit(Duration.ofSeconds(20)).connections(2).waiting(100));
            try (NettyGateway gateway = Gateways.start(config)) {
                Wire[] wires = new Wire[20];
                for (int i = 0; i < wires.length; i++) {
                    wires[i] = Wire.to(gateway.address()).send(Wire.get("/" + i));
                }
                for (Wire wire : wires) {
                    assertThat(wire.read().body()).isEqualTo("fine");
                    wire.close();
                }
                assertThat(backend.connections()).isEqualTo(2);
            }
        }
    }

    /** The beginning of an answer that ends with its connection, and then a reset. */
    private static TestBackend resetting() throws IOException {
        return TestBackend.of((wire, self) -> {
            self.request(wire);
            wire.send("HTTP/1.1 200 OK\r\n\r\nbegun");
            LockSupport.parkNanos(100_000_000); // time for the beginning to go on: the reset must not overtake it
            wire.reset();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.1"})
    void h2_answerWithoutALengthThatIsReset_isResetAtTheClient(String version) throws Exception {
        try (TestBackend backend = resetting();
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)));
                Wire wire = Wire.to(gateway.address())) {
            wire.send("GET / HTTP/" + version + "\r\nHost: a\r\n\r\n");

            assertThatThrownBy(wire::rest).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void h8_answerWithoutALengthThatIsReset_isResetOnItsStream() throws Exception {
        try (TestBackend backend = resetting();
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)));
                Http2Wire client = Http2Wire.to(gateway.address())) {
            Http2Wire.Answer answer = client.get(1, "/").read(1);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.reset()).isTrue();
            assertThat(client.get(3, "/").read(3).status()).isEqualTo(200);
        }
    }

    @Test
    void answerWithoutALength_thatEnds_isWhole() throws Exception {
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send("HTTP/1.1 200 OK\r\n\r\nall of it");
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(at(backend)));
                Http2Wire client = Http2Wire.to(gateway.address())) {
            assertThat(Wire.ask(gateway, Wire.get("/")).body()).isEqualTo("all of it");
            assertThat(client.get(1, "/").read(1)).isEqualTo(new Http2Wire.Answer(200, "all of it", false));
        }
    }
}
