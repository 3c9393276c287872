// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.config.RouteConfig;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that misbehave: the bytes and the time that they cost are bounded. */
@Timeout(60)
class ClientFaultTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private static NettyGateway start(TestBackend backend, Limits.Builder limits) throws IOException {
        return Gateways.start(Gateways.proxy(backend).limits(limits.build()));
    }

    @Test
    void h4_headThatTakesTooLong_is408() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = start(backend, Limits.builder().headTime(SHORT));
                Wire wire = Wire.to(gateway.address())) {
            wire.send("GET / HTTP/1.1\r\nHost: a\r\nX: ");
            CountDownLatch over = new CountDownLatch(1);
            Thread slow = new Thread(() -> {
                try {
                    while (over.getCount() > 0) {
                        wire.send("x");
                        LockSupport.parkNanos(50_000_000);
                    }
                } catch (IOException e) {
                    // the gateway has closed
                }
            });
            slow.start();
            assertThat(wire.read().status()).isEqualTo(408);
            over.countDown();
            slow.join();
        }
    }

    @Test
    void h4_connectionWithoutARequest_isClosed() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = start(backend, Limits.builder().idleTime(SHORT));
                Wire silent = Wire.to(gateway.address());
                Wire used = Wire.to(gateway.address())) {
            assertThat(used.send(Wire.get("/")).read().status()).isEqualTo(200);
            assertThat(silent.isClosed()).isTrue();
            assertThat(used.isClosed()).isTrue();
        }
    }

    @Test
    void h4_connectionThatWasUsed_isClosedOneIdleTimeAfterItsLastUse() throws Exception {
        Duration idle = SHORT;
        while (!isClosedInTime(idle)) {
            idle = idle.multipliedBy(2);
        }
    }

    /** Returns false if a thread was paused for too long to judge. */
    private static boolean isClosedInTime(Duration idle) throws Exception {
        long limit = idle.toNanos();
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = start(backend, Limits.builder().idleTime(idle))) {
            long begin = System.nanoTime();
            try (Wire wire = Wire.to(gateway.address())) {
                assertThat(wire.send(Wire.get("/")).read().status()).isEqualTo(200);
                while (System.nanoTime() - begin < limit * 6 / 10) { // within the first limit
                    LockSupport.parkNanos(1_000_000);
                }
                long used = System.nanoTime();
                if (used - begin > limit * 7 / 10) {
                    return false;
                }
                assertThat(wire.send(Wire.get("/")).read().status()).isEqualTo(200);
                assertThat(wire.isClosed()).isTrue();
                long after = System.nanoTime() - used;
                assertThat(after).isGreaterThanOrEqualTo(limit);
                return after < limit * 12 / 10;
            } catch (IOException closed) {
                assertThat(System.nanoTime() - begin).isGreaterThan(limit);
                return false;
            }
        }
    }

    @Test
    void h4_bodyThatStops_is408AndTheCallIsCancelled() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    try {
                        wire.rest();
                    } finally {
                        gone.countDown();
                    }
                });
                NettyGateway gateway = start(backend, Limits.builder().bodyTime(SHORT));
                Wire wire = Wire.to(gateway.address())) {
            wire.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nbegun");

            assertThat(wire.read().status()).isEqualTo(408);
            assertThat(wire.isClosed()).isTrue();
            assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void h4_heldBodyThatTrickles_is408AtTheLimitOfTheRoute() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .backend(BackendConfig.builder("a", backend.url()).build())
                        .route(RouteConfig.pipeline("/x", "a").limit(SHORT).build()));
                Wire wire = Wire.to(gateway.address())) {
            wire.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nbegun");

            assertThat(wire.read().status()).isEqualTo(408);
            assertThat(backend.requests).isEmpty();
        }
    }

    @Test
    void h4_whatIsTooLarge_isRefused() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = start(
                        backend,
                        Limits.builder().head(1_000).line(500).fields(10).body(100))) {
            assertThat(Wire.ask(gateway, Wire.get("/" + "x".repeat(600))).status())
                    .isEqualTo(414);
            assertThat(Wire.ask(gateway, "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(1_100) + "\r\n\r\n")
                            .status())
                    .isEqualTo(431);
            assertThat(Wire.ask(gateway, "GET / HTTP/1.1\r\nHost: a\r\n" + "X: 1\r\n".repeat(20) + "\r\n")
                            .status())
                    .isEqualTo(431);
            assertThat(Wire.ask(gateway, Wire.post("/", "x".repeat(101))).status())
                    .isEqualTo(413);
            assertThat(Wire.ask(gateway, Wire.post("/", "x".repeat(100))).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void h4_chunkedBodyThatGrowsTooLarge_is413() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = start(backend, Limits.builder().body(100));
                Wire wire = Wire.to(gateway.address())) {
            wire.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 3; i++) {
                wire.send("32\r\n" + "x".repeat(50) + "\r\n");
            }

            assertThat(wire.read().status()).isEqualTo(413);
            assertThat(wire.isClosed()).isTrue();
        }
    }

    @Test
    void h4_connectionsBeyondTheLimit_areClosed() throws Exception {
        try (TestBackend backend = TestBackend.saying("x");
                NettyGateway gateway = start(backend, Limits.builder().connections(3))) {
            List<Wire> open = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                open.add(Wire.to(gateway.address()));
                assertThat(open.get(i).send(Wire.get("/")).read().status()).isEqualTo(200);
            }
            try (Wire fourth = Wire.to(gateway.address())) {
                assertThat(fourth.isClosed()).isTrue();
            }
            for (Wire wire : open) {
                assertThat(wire.send(Wire.get("/")).read().status()).isEqualTo(200);
                wire.close();
            }
        }
    }

    @Test
    void h5_clientThatGoesAway_cancelsItsCalls() throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch gone = new CountDownLatch(2);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    asked.countDown();
                    assertThat(wire.isClosed()).isTrue();
                    gone.countDown();
                });
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .backend(BackendConfig.builder("a", backend.url()).build())
                        .backend(BackendConfig.builder("b", backend.url()).build())
                        .route(RouteConfig.multicast("/all", "a", "b").build()))) {
            Wire wire = Wire.to(gateway.address()).send(Wire.get("/all"));
            asked.await();
            wire.close();

            assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void h5_clientThatGoesAwayWhileItsAnswerStreams_endsTheCall() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
                    assertThat(wire.isClosed()).isTrue();
                    gone.countDown();
                });
                NettyGateway gateway = Gateways.start(
                        Gateways.proxy(BackendConfig.builder("a", backend.url()).limit(Duration.ofMinutes(5))))) {
            try (Wire wire = Wire.to(gateway.address())) {
                assertThat(wire.send(Wire.get("/")).line()).isEqualTo("HTTP/1.1 200 OK");
            }
            assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void h5_clientOfHttp2ThatGivesUpAStream_endsItsCallAndNoOther() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch gone = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    boolean given = self.request(wire).path().equals("/given-up");
                    wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx");
                    begun.countDown();
                    if (given) {
                        assertThat(wire.isClosed()).isTrue();
                        gone.countDown();
                    } else {
                        go.await();
                        wire.send("y").rest();
                    }
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Http2Wire wire = Http2Wire.to(gateway.address())) {
            wire.get(1, "/given-up").get(3, "/other");
            begun.await();
            wire.send(Http2Wire.RESET, 0, 1, new byte[] {0, 0, 0, 8});
            assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
            go.countDown();
            assertThat(wire.read(3).body()).isEqualTo("xy");
        }
    }

    @Test
    void clientThatEndsItsOutput_isGone() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    asked.countDown();
                    assertThat(wire.isClosed()).isTrue();
                    gone.countDown();
                });
                NettyGateway gateway = Gateways.start(Gateways.proxy(backend));
                Wire wire = Wire.to(gateway.address())) {
            wire.send(Wire.get("/"));
            asked.await(); // otherwise the client may be gone before its request goes on
            wire.endOutput();

            assertThat(wire.isClosed()).isTrue();
            assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void h4_clientThatReadsSlowly_stopsTheReadingFromItsBackend() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        int pieces = 2_000;
        String piece = "x".repeat(10_000);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send("HTTP/1.1 200 OK\r\nContent-Length: " + pieces * 10_000 + "\r\n\r\n");
                    for (int i = 0; i < pieces; i++) {
                        wire.send(piece);
                        sent.incrementAndGet();
                    }
                    wire.read();
                });
                NettyGateway gateway = Gateways.start(
                        Gateways.proxy(BackendConfig.builder("a", backend.url()).limit(Duration.ofSeconds(50))));
                Wire wire = Wire.to(gateway.address())) {
            wire.send(Wire.get("/"));
            int before = -1;
            while (sent.get() != before || before <= 0) { // until the client can send no more
                before = sent.get();
                LockSupport.parkNanos(200_000_000);
            }
            assertThat(before).isLessThan(pieces);
            assertThat(Wire.ask(gateway, "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n").status())
                    .isEqualTo(400);
            assertThat(wire.read().body()).hasSize(pieces * 10_000);
        }
    }

    @Test
    void h4_clientThatTakesNothing_isCutOff() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    self.request(wire);
                    wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                    try {
                        for (; ; ) {
                            wire.send("2710\r\n" + "x".repeat(10_000) + "\r\n");
                        }
                    } finally {
                        gone.countDown();
                    }
                });
                NettyGateway gateway = Gateways.start(
                        Gateways.proxy(BackendConfig.builder("a", backend.url()).limit(Duration.ofMinutes(5)))
                                .limits(Limits.builder().writeTime(SHORT).build()));
                Wire wire = Wire.to(gateway.address())) {
            wire.send(Wire.get("/"));

            assertThat(gone.await(20, TimeUnit.SECONDS)).isTrue(); // by this limit alone: all others are longer
        }
    }

    @Test
    void h4_bodyThatTheBackendDoesNotTake_stopsTheReadingFromTheClient() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        int pieces = 2_000;
        try (TestBackend backend = TestBackend.of((wire, self) -> {
                    while (!wire.line().isEmpty()) {
                        // the head
                    }
                    go.await();
                    wire.exactly(pieces * 10_000);
                    wire.send(Wire.ok("taken"));
                });
                NettyGateway gateway = Gateways.start(Gateways.config()
                        .limits(Limits.builder()
                                .body(1L << 30)
                                .bodyTime(Duration.ofMillis(500))
                                .build())
                        .backend(BackendConfig.builder("a", backend.url()).build())
                        .route(RouteConfig.proxy("/*", "a")
                                .limit(Duration.ofSeconds(50))
                                .build()));
                Wire wire = Wire.to(gateway.address())) {
            wire.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + pieces * 10_000 + "\r\n\r\n");
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < pieces; i++) {
                        wire.send("x".repeat(10_000));
                        sent.incrementAndGet();
                    }
                } catch (IOException e) {
                    sent.set(-1_000_000);
                }
            });
            sender.start();
            int before = -1;
            for (int same = 0; same < 5; ) { // for longer than the limit of a piece
                same = sent.get() == before && before > 0 ? same + 1 : 0;
                before = sent.get();
                LockSupport.parkNanos(200_000_000);
            }
            assertThat(before).isLessThan(pieces);
            go.countDown();
            assertThat(wire.read().body()).isEqualTo("taken");
            sender.join();
        }
    }
}
